package dev.tailwater.io.watch.result;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.name.KnownFile;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The files that one pass found gone, new, moved or written. A file that vanished in one place may
 * be recognised as one that is new in another until the pass ends, so that only its end, or lack of
 * room, decides that it is gone.
 */
public final class PassResults {
  private record Fresh(FileStatus status, boolean throughLink) {}

  private record Missed(PosixPath path, boolean written) {}

  /** The place of a file in the tree. */
  private record Place(DirectoryNode node, PosixPath name) {
    PosixPath path() {
      return node.path.resolve(name);
    }
  }

  private final FileTree tree;
  private final BiPredicate<DirectoryNode, PosixPath> wanted;
  private final GoneFiles gone;
  private final Map<DirectoryNode, Map<PosixPath, Fresh>> fresh = new LinkedHashMap<>();
  private final Set<DirectoryNode> moved = new LinkedHashSet<>();
  private final Set<Place> modified = new LinkedHashSet<>();
  private final List<Missed> missed = new ArrayList<>();
  private final List<PosixPath> writtenElsewhere = new ArrayList<>();

  /**
   * Creates empty results.
   *
   * @param wanted whether a file of this name counts, as is known by now
   * @param maxUndecided how many files may be undecided at once
   */
  public PassResults(
      FileTree tree, BiPredicate<DirectoryNode, PosixPath> wanted, int maxUndecided) {
    this.tree = tree;
    this.wanted = wanted;
    this.gone = new GoneFiles(maxUndecided);
  }

  /**
   * Records a file that no longer has its name and was removed from its directory.
   *
   * @param deleted whether the name is known to have been unlinked, so that the same inode number
   *     elsewhere is another file
   */
  public void gone(DirectoryNode node, PosixPath name, KnownFile file, boolean deleted) {
    boolean written = modified.remove(new Place(node, name));
    gone.add(node.reportedPath.resolve(name), file, written, deleted);
  }

  /** Records a file of a directory that is gone, or whose files are looked for anew. */
  public void gone(PosixPath path, KnownFile file) {
    gone.add(path, file, false, false);
  }

  /** Records a file that was not known under its name. */
  public void fresh(DirectoryNode node, PosixPath name, FileStatus status, boolean throughLink) {
    fresh
        .computeIfAbsent(node, key -> new LinkedHashMap<>())
        .put(name, new Fresh(status, throughLink));
  }

  /** Returns the names in the directory that are new in this pass and not placed yet. */
  public Set<PosixPath> freshIn(DirectoryNode node) {
    Map<PosixPath, Fresh> files = fresh.get(node);
    return files == null ? Set.of() : files.keySet();
  }

  /**
   * Forgets an earlier look at the name in this pass, since only the last look counts.
   *
   * @return whether a file was there then that is new in this pass, and not one that was renamed
   */
  public boolean lookedAgain(DirectoryNode node, PosixPath name) {
    Map<PosixPath, Fresh> files = fresh.get(node);
    Fresh before = files == null ? null : files.remove(name);
    return before != null && gone.find(before.status(), before.throughLink()).isEmpty();
  }

  /** Records a name that was created and deleted unseen. */
  public void missed(PosixPath path, boolean written) {
    missed.add(new Missed(path, written));
  }

  /** Records a write to a file that was opened at this name and does not have it any more. */
  public void writtenElsewhere(PosixPath path) {
    writtenElsewhere.add(path);
  }

  /** Records a directory that has a new path. */
  public void moved(DirectoryNode node) {
    moved.add(node);
  }

  /** Records a file that was written. */
  public void modified(DirectoryNode node, PosixPath name) {
    modified.add(new Place(node, name));
  }

  /** Returns whether there is a file of which it is not decided that it is gone. */
  public boolean anyGone() {
    return !gone.isEmpty();
  }

  /**
   * Adds new files to the tree, and reports the changes since the last call.
   *
   * @param last whether the pass has ended, so that what is missing is gone
   * @param isReported whether a file was reported at a path and is known there
   */
  public void take(boolean last, Predicate<PosixPath> isReported, FileChanges changes) {
    Set<PosixPath> appeared = new LinkedHashSet<>();
    RenameOrder renames = new RenameOrder();
    moved.forEach(node -> addRenames(node, renames));
    fresh.forEach(
        (node, files) -> files.forEach((name, file) -> place(node, name, file, appeared, renames)));
    renames.order();
    appeared.forEach(gone::forget);
    Set<PosixPath> disappeared = gone.take(last, renames.targets());
    disappeared.addAll(renames.takenOut());
    appeared.addAll(renames.putBack());
    missed.forEach(file -> changes.missed(file.path(), file.written()));
    new LeftPaths(disappeared, renames.ordered()).report(appeared, isReported, changes);
    appeared.forEach(changes::appeared);
    reportWritten(appeared, changes);
    moved.clear();
    fresh.clear();
    modified.clear();
    missed.clear();
    writtenElsewhere.clear();
  }

  /**
   * Reports the files of which it is decided that they are gone; new ones are not placed yet.
   *
   * @param isReported as for {@link #take}
   */
  public void takeGone(Predicate<PosixPath> isReported, FileChanges changes) {
    Set<PosixPath> disappeared = gone.take(false, List.of());
    new LeftPaths(disappeared, List.of()).report(Set.of(), isReported, changes);
  }

  private static void addRenames(DirectoryNode node, RenameOrder renames) {
    PosixPath before = node.reportedPath;
    node.reportedPath = node.path;
    if (node.lost || before.equals(node.path)) {
      return;
    }
    List<PosixPath> names = node.files.namesAfter(PosixPath.EMPTY);
    while (!names.isEmpty()) {
      names.forEach(name -> renames.add(before.resolve(name), node.path.resolve(name)));
      names = node.files.namesAfter(names.getLast());
    }
  }

  private void place(
      DirectoryNode node,
      PosixPath name,
      Fresh file,
      Set<PosixPath> appeared,
      RenameOrder renames) {
    if (node.lost || node.files.contains(name) || !wanted.test(node, name)) {
      return;
    }
    PosixPath path = node.path.resolve(name);
    KnownFile found = KnownFile.of(file.status(), file.throughLink());
    Optional<GoneFiles.GoneFile> before = gone.claim(file.status(), file.throughLink());
    if (before.isEmpty()) {
      if (tree.addNewFile(node, name, found)) {
        appeared.add(path);
      }
      return;
    }
    tree.addFile(node, name, found);
    if (!before.get().path().equals(path)) {
      renames.add(before.get().path(), path);
    }
    if (before.get().written() || before.get().file().contentDiffers(file.status())) {
      modified(node, name);
    }
  }

  private void reportWritten(Set<PosixPath> appeared, FileChanges changes) {
    for (Place place : modified) {
      boolean known = !place.node().lost && place.node().files.contains(place.name());
      if (known && !appeared.contains(place.path())) {
        changes.modified(place.path());
      }
    }
    // By now the files have the names that they have now.
    writtenElsewhere.forEach(changes::writtenElsewhere);
  }
}
