package dev.tailwater.io.watch;

import dev.tailwater.io.FairShares;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The budget that keeps the memory of names within its bound, and each root within its share. Names
 * without room are only counted; a later scan adds them. For one thread.
 */
public final class NameBudget {
  /** A quarter is reserved for the roots in equal parts. */
  private static final int RESERVED_FRACTION = 4;

  /** A scan of its own pays once this fraction of the whole is free. */
  private static final int SCAN_FRACTION = 32;

  private final NameBound bound;
  private final FairShares shares;
  private final Map<DirectoryNode, FairShares.Share> shareByRoot = new LinkedHashMap<>();
  private final Map<DirectoryNode, Long> leftOutByDirectory = new LinkedHashMap<>();
  private final Set<PosixPath> reported = new HashSet<>();

  /** Taken for names that the current pass has listed and will add at its end. */
  private final Map<FairShares.Share, Long> pending = new LinkedHashMap<>();

  private long leftOut;

  /** Whether the set of directories with left-out names has changed since the last report. */
  private boolean changed;

  /** Whether there may be room for names that were left out. */
  private boolean freed;

  NameBudget(NameBound bound, int roots) {
    this.bound = bound;
    this.shares = new FairShares(bound.totalBytes(), Math.max(1, roots), RESERVED_FRACTION);
  }

  /** Releases the reservations of a pass, whose names are added now or gone. */
  void settlePending() {
    pending.forEach(FairShares.Share::give);
    pending.clear();
  }

  /** Reserves room for an unknown name; returns whether there was room. */
  boolean admit(DirectoryNode node, PosixPath name, EntryType type) {
    long bytes = type == EntryType.DIRECTORY ? costOfDirectory(node, name) : costOfFile(node, name);
    FairShares.Share share = share(node);
    boolean room = share.tryTake(bytes);
    if (room) {
      pending.merge(share, bytes, Long::sum);
    }
    return room;
  }

  /** Returns whether there is room for a file that has turned out to be new. */
  boolean hasRoomForFile(DirectoryNode node, PosixPath name) {
    return share(node).hasRoom(costOfFile(node, name));
  }

  boolean hasRoomForDirectory(DirectoryNode node, PosixPath name) {
    return share(node).hasRoom(costOfDirectory(node, name));
  }

  private long costOfFile(DirectoryNode node, PosixPath name) {
    return bound.costOfFile(node.path.lengthBytes() + 1 + name.lengthBytes());
  }

  private long costOfDirectory(DirectoryNode node, PosixPath name) {
    return bound.costOfDirectory(node.path.lengthBytes() + 1 + name.lengthBytes());
  }

  void added(FileEntry file) {
    file.costBytes = costOfFile(file.parent, file.name);
    take(file.parent, file.costBytes);
  }

  void removed(FileEntry file) {
    give(file.parent, file.costBytes);
  }

  void added(DirectoryNode node) {
    node.costBytes = bound.costOfDirectory(node.path.lengthBytes());
    take(node, node.costBytes);
  }

  void removed(DirectoryNode node) {
    give(node, node.costBytes);
    leftOut(node, 0);
  }

  private void take(DirectoryNode node, long bytes) {
    if (bytes > 0) {
      share(node).take(bytes);
    }
  }

  private void give(DirectoryNode node, long bytes) {
    if (bytes > 0) {
      DirectoryNode root = node.root();
      FairShares.Share share = share(root);
      share.give(bytes);
      freed = true;
      if (share.taken() == 0) {
        shareByRoot.remove(root);
      }
    }
  }

  private FairShares.Share share(DirectoryNode node) {
    return shareByRoot.computeIfAbsent(node.root(), root -> shares.share());
  }

  /** Gives back the room of a directory and everything below it, before its parent changes. */
  void beforeMove(DirectoryNode node) {
    give(node, costBelow(node));
  }

  /** Takes that room again, after its parent changed. */
  void afterMove(DirectoryNode node) {
    take(node, costBelow(node));
  }

  private static long costBelow(DirectoryNode node) {
    long bytes = node.costBytes;
    for (FileEntry file : node.files.values()) {
      bytes += file.costBytes;
    }
    for (DirectoryNode child : node.directories.values()) {
      bytes += costBelow(child);
    }
    return bytes;
  }

  /** Records how many names of the directory found no room in the last listing. */
  void leftOut(DirectoryNode node, long names) {
    Long before =
        names == 0 ? leftOutByDirectory.remove(node) : leftOutByDirectory.put(node, names);
    leftOut += names - (before == null ? 0 : before);
    changed |= (before == null) != (names == 0);
  }

  /** Records that a name of the directory found no room, perhaps one that was counted before. */
  void leftOutSome(DirectoryNode node) {
    if (!leftOutByDirectory.containsKey(node)) {
      leftOut(node, 1);
    }
  }

  /** Returns the number of left-out names in the last listings. */
  long leftOut() {
    return leftOut;
  }

  /** Returns whether a scan would find room for many of the left-out names. */
  boolean hasRoomForLeftOut() {
    if (!freed || leftOutByDirectory.isEmpty()) {
      return false;
    }
    long worth = shares.maxPerUser() / SCAN_FRACTION;
    freed =
        leftOutByDirectory.keySet().stream()
            .map(DirectoryNode::root)
            .distinct()
            .anyMatch(root -> share(root).hasRoom(worth));
    return freed;
  }

  /** Returns the roots that have exceeded their room, or fit again, since the last call. */
  List<WatchChange> take() {
    if (!changed) {
      return List.of();
    }
    changed = false;
    Set<PosixPath> full = new LinkedHashSet<>();
    leftOutByDirectory.keySet().forEach(node -> full.add(node.root().path));
    List<WatchChange> changes = new ArrayList<>();
    for (PosixPath root : full) {
      if (reported.add(root)) {
        changes.add(new WatchChange.Overfull(root));
      }
    }
    for (PosixPath root : List.copyOf(reported)) {
      if (!full.contains(root)) {
        reported.remove(root);
        changes.add(new WatchChange.NotOverfull(root));
      }
    }
    return changes;
  }
}
