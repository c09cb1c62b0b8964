package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that one pass found gone, new, moved or written. Only at the end of the pass can a file
 * that vanished in one place be recognised as one that is new in another.
 */
final class PassResults {
  private record Fresh(FileStatus status, boolean throughLink) {}

  private final WatchTree tree;
  private final Map<InodeKey, Deque<FileEntry>> gone = new HashMap<>();
  private final Set<FileEntry> goneInOrder = new LinkedHashSet<>();
  private final Map<DirectoryNode, Map<PosixPath, Fresh>> fresh = new LinkedHashMap<>();
  private final Set<FileEntry> moved = new LinkedHashSet<>();
  private final Set<FileEntry> modified = new LinkedHashSet<>();
  private final List<WatchChange> missed = new ArrayList<>();

  PassResults(WatchTree tree) {
    this.tree = tree;
  }

  /**
   * Records a file that no longer has its name and was removed from its directory.
   *
   * @param deleted whether the name is known to have been unlinked, so that the same inode number
   *     elsewhere is another file
   */
  void gone(FileEntry entry, boolean deleted) {
    goneInOrder.add(entry);
    if (!deleted) {
      gone.computeIfAbsent(entry.key, key -> new ArrayDeque<>(1)).add(entry);
    }
  }

  void fresh(DirectoryNode node, PosixPath name, FileStatus status, boolean throughLink) {
    fresh
        .computeIfAbsent(node, key -> new LinkedHashMap<>())
        .put(name, new Fresh(status, throughLink));
  }

  /** Returns the names in the directory that are new in this pass. */
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
    return before != null && sameFile(before) == null;
  }

  /** Records a name that was created and deleted unseen. */
  void missed(PosixPath path, boolean written) {
    missed.add(new WatchChange.Missed(path, written));
  }

  /** Records a file whose directory has a new path. */
  void moved(FileEntry entry) {
    moved.add(entry);
  }

  void modified(FileEntry entry) {
    modified.add(entry);
  }

  boolean anyGone() {
    return !goneInOrder.isEmpty();
  }

  /**
   * Adds new files to the tree and returns the changes in an order in which they can be applied.
   */
  List<WatchChange> finish() {
    Set<PosixPath> appeared = new LinkedHashSet<>();
    fresh.forEach(
        (node, files) -> files.forEach((name, file) -> place(node, name, file, appeared)));
    Set<PosixPath> disappeared = new LinkedHashSet<>();
    goneInOrder.forEach(entry -> disappeared.add(entry.path));
    RenameOrder renames = new RenameOrder();
    for (FileEntry entry : moved) {
      PosixPath now = entry.currentPath();
      if (!goneInOrder.contains(entry) && !now.equals(entry.path)) {
        renames.add(entry.path, now);
        entry.path = now;
      }
    }
    renames.order();
    disappeared.removeAll(appeared);
    disappeared.addAll(renames.takenOut());
    appeared.addAll(renames.putBack());
    return changes(disappeared, renames.ordered(), appeared);
  }

  private void place(DirectoryNode node, PosixPath name, Fresh file, Set<PosixPath> appeared) {
    if (node.lost || node.files.containsKey(name)) {
      return;
    }
    FileEntry entry = takeSameFile(file);
    if (entry == null && !tree.names().hasRoomForFile(node, name)) {
      tree.names().leftOutSome(node);
      return;
    }
    if (entry == null) {
      entry = new FileEntry(node, name, file.status(), file.throughLink());
      appeared.add(entry.path);
      if (entry.throughLink) {
        tree.pollLink(entry);
      }
    } else {
      entry.parent = node;
      entry.name = name;
      moved.add(entry);
      if (entry.contentDiffers(file.status())) {
        modified.add(entry);
      }
      entry.remember(file.status());
    }
    node.files.put(entry.name, entry);
    tree.fileAdded(entry);
  }

  private @Nullable FileEntry takeSameFile(Fresh file) {
    Deque<FileEntry> candidates = gone.get(InodeKey.of(file.status()));
    FileEntry entry = sameFile(file);
    if (entry != null && candidates != null) {
      candidates.remove(entry);
      goneInOrder.remove(entry);
    }
    return entry;
  }

  /** Returns the file as it was known by a name that it no longer has. */
  private @Nullable FileEntry sameFile(Fresh file) {
    Deque<FileEntry> candidates = gone.get(InodeKey.of(file.status()));
    FileEntry entry = candidates == null ? null : candidates.peek();
    if (entry == null) {
      return null;
    }
    // Without a birth time, a reused inode number looks the same: only an unchanged file counts.
    boolean same = entry.key.hasBirthTime() || !entry.contentDiffers(file.status());
    return same && entry.throughLink == file.throughLink() ? entry : null;
  }

  private List<WatchChange> changes(
      Set<PosixPath> disappeared, List<WatchChange> renamed, Set<PosixPath> appeared) {
    List<WatchChange> changes = new ArrayList<>(missed);
    disappeared.forEach(path -> changes.add(new WatchChange.Disappeared(path)));
    changes.addAll(renamed);
    appeared.forEach(path -> changes.add(new WatchChange.Appeared(path)));
    for (FileEntry entry : modified) {
      if (!goneInOrder.contains(entry) && !appeared.contains(entry.path)) {
        changes.add(new WatchChange.Modified(entry.path));
      }
    }
    return changes;
  }
}
