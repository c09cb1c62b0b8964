package dev.tailwater.io.watch;

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

/**
 * The files that one pass found gone, new, moved or written. A file that vanished in one place may
 * be recognised as one that is new in another until the pass ends, so that only its end, or lack of
 * room, decides that it is gone.
 */
final class PassResults {
  private record Fresh(FileStatus status, boolean throughLink) {}

  /** The place of a file in the tree. */
  private record Place(DirectoryNode node, PosixPath name) {
    PosixPath path() {
      return node.path.resolve(name);
    }
  }

  private final WatchTree tree;
  private final BiPredicate<DirectoryNode, PosixPath> wanted;
  private final GoneFiles gone;
  private final Map<DirectoryNode, Map<PosixPath, Fresh>> fresh = new LinkedHashMap<>();
  private final Set<DirectoryNode> moved = new LinkedHashSet<>();
  private final Set<Place> modified = new LinkedHashSet<>();
  private final List<WatchChange> missed = new ArrayList<>();
  private final List<WatchChange> writtenElsewhere = new ArrayList<>();

  /**
   * Creates empty results.
   *
   * @param wanted whether a file of this name counts, as is known by now
   * @param maxUndecided how many files may be undecided at once
   */
  PassResults(WatchTree tree, BiPredicate<DirectoryNode, PosixPath> wanted, int maxUndecided) {
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
  void gone(DirectoryNode node, PosixPath name, KnownFile file, boolean deleted) {
    boolean written = modified.remove(new Place(node, name));
    gone.add(node.reportedPath.resolve(name), file, written, deleted);
  }

  /** Records a file of a directory that is gone, or whose files are looked for anew. */
  void gone(PosixPath path, KnownFile file) {
    gone.add(path, file, false, false);
  }

  void fresh(DirectoryNode node, PosixPath name, FileStatus status, boolean throughLink) {
    fresh
        .computeIfAbsent(node, key -> new LinkedHashMap<>())
        .put(name, new Fresh(status, throughLink));
  }

  /** Returns the names in the directory that are new in this pass and not placed yet. */
  Set<PosixPath> freshIn(DirectoryNode node) {
    Map<PosixPath, Fresh> files = fresh.get(node);
    return files == null ? Set.of() : files.keySet();
  }

  /**
   * Forgets an earlier look at the name in this pass, since only the last look counts.
   *
   * @return whether a file was there then that is new in this pass, and not one that was renamed
   */
  boolean lookedAgain(DirectoryNode node, PosixPath name) {
    Map<PosixPath, Fresh> files = fresh.get(node);
    Fresh before = files == null ? null : files.remove(name);
    return before != null && gone.find(before.status(), before.throughLink()).isEmpty();
  }

  /** Records a name that was created and deleted unseen. */
  void missed(PosixPath path, boolean written) {
    missed.add(new WatchChange.Missed(path, written));
  }

  /** Records a write to a file that was opened at this name and does not have it any more. */
  void writtenElsewhere(PosixPath path) {
    writtenElsewhere.add(new WatchChange.WrittenElsewhere(path));
  }

  /** Records a directory that has a new path. */
  void moved(DirectoryNode node) {
    moved.add(node);
  }

  void modified(DirectoryNode node, PosixPath name) {
    modified.add(new Place(node, name));
  }

  boolean anyGone() {
    return !gone.isEmpty();
  }

  /**
   * Adds new files to the tree and returns the changes since the last call in an order in which
   * they can be applied.
   *
   * @param last whether the pass has ended, so that what is missing is gone
   */
  List<WatchChange> take(boolean last) {
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
    List<WatchChange> changes = changes(disappeared, renames.ordered(), appeared);
    moved.clear();
    fresh.clear();
    modified.clear();
    missed.clear();
    writtenElsewhere.clear();
    return changes;
  }

  /** Returns the files of which it is decided that they are gone; new ones are not placed yet. */
  List<WatchChange> takeGone() {
    List<WatchChange> changes = new ArrayList<>();
    gone.take(false, List.of()).forEach(path -> changes.add(new WatchChange.Disappeared(path)));
    return changes;
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
    Optional<GoneFiles.GoneFile> before = gone.claim(file.status(), file.throughLink());
    if (before.isEmpty()) {
      if (!tree.names().hasRoomForFile(node, name)) {
        tree.names().leftOutAtLeast(node, 1);
        return;
      }
      appeared.add(path);
    } else {
      if (!before.get().path().equals(path)) {
        renames.add(before.get().path(), path);
      }
      if (before.get().written() || before.get().file().contentDiffers(file.status())) {
        modified(node, name);
      }
    }
    tree.addFile(node, name, KnownFile.of(file.status(), file.throughLink()));
  }

  private List<WatchChange> changes(
      Set<PosixPath> disappeared, List<WatchChange> renamed, Set<PosixPath> appeared) {
    List<WatchChange> changes = new ArrayList<>(missed);
    disappeared.forEach(path -> changes.add(new WatchChange.Disappeared(path)));
    changes.addAll(renamed);
    appeared.forEach(path -> changes.add(new WatchChange.Appeared(path)));
    for (Place place : modified) {
      boolean known = !place.node().lost && place.node().files.contains(place.name());
      if (known && !appeared.contains(place.path())) {
        changes.add(new WatchChange.Modified(place.path()));
      }
    }
    changes.addAll(writtenElsewhere); // By now the files have the names that they have now.
    return changes;
  }
}
