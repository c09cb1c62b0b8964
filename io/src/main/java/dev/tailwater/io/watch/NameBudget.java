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
 * Holds the memory for names below its bound, and each root to its share. What finds no room is not
 * remembered, only counted, and is taken up by a later scan. For one thread.
 */
public final class NameBudget {
  /** One in so many belongs to the roots in equal parts. */
  private static final int OWN_ONE_IN = 4;

  /** What must be free, as a part of the whole, before it is worth a scan of its own. */
  private static final int WORTH_A_SCAN = 32;

  private final NameBound bound;
  private final FairShares shares;
  private final Map<DirectoryNode, FairShares.Share> shareByRoot = new LinkedHashMap<>();
  private final Map<DirectoryNode, Long> leftOutByDirectory = new LinkedHashMap<>();
  private final Set<PosixPath> told = new HashSet<>();

  /** Taken for names that this pass has met, and that it places at its end. */
  private final Map<FairShares.Share, Long> pending = new LinkedHashMap<>();

  private long leftOut;

  /** Whether a directory was left in part, or is not any more, since it was last told. */
  private boolean changed;

  /** Whether there may be room for what was left out. */
  private boolean freed;

  NameBudget(NameBound bound, int roots) {
    this.bound = bound;
    this.shares = new FairShares(bound.totalBytes(), Math.max(1, roots), OWN_ONE_IN);
  }

  /** What was met is placed now, or is not there any more. */
  void settlePending() {
    pending.forEach(FairShares.Share::give);
    pending.clear();
  }

  /** Whether there is room for a name that is not known, beside those that this pass has met. */
  boolean admit(DirectoryNode node, PosixPath name, EntryType type) {
    long bytes = type == EntryType.DIRECTORY ? costOfDirectory(node, name) : costOfFile(node, name);
    FairShares.Share share = share(node);
    boolean room = share.tryTake(bytes);
    if (room) {
      pending.merge(share, bytes, Long::sum);
    }
    return room;
  }

  /** Whether there is room for a file that has turned out to be a new one. */
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

  void came(FileEntry file) {
    file.costBytes = costOfFile(file.parent, file.name);
    take(file.parent, file.costBytes);
  }

  void went(FileEntry file) {
    give(file.parent, file.costBytes);
  }

  void came(DirectoryNode node) {
    node.costBytes = bound.costOfDirectory(node.path.lengthBytes());
    take(node, node.costBytes);
  }

  void went(DirectoryNode node) {
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

  /** Before a directory gets another parent: it and all below it count no more where it was. */
  void leaves(DirectoryNode node) {
    give(node, costBelow(node));
  }

  /** After that. */
  void arrives(DirectoryNode node) {
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

  /** So many names of the directory found no room when it was listed. */
  void leftOut(DirectoryNode node, long names) {
    Long before =
        names == 0 ? leftOutByDirectory.remove(node) : leftOutByDirectory.put(node, names);
    leftOut += names - (before == null ? 0 : before);
    changed |= (before == null) != (names == 0);
  }

  /** A name of the directory found no room, perhaps one that was counted before. */
  void leftOutSome(DirectoryNode node) {
    if (!leftOutByDirectory.containsKey(node)) {
      leftOut(node, 1);
    }
  }

  /** As counted when the directories were listed last. */
  long leftOut() {
    return leftOut;
  }

  /** Whether a scan would take up much of what was left out. */
  boolean hasRoomForLeftOut() {
    if (!freed || leftOutByDirectory.isEmpty()) {
      return false;
    }
    long worth = shares.mostOfOne() / WORTH_A_SCAN;
    freed =
        leftOutByDirectory.keySet().stream()
            .map(DirectoryNode::root)
            .distinct()
            .anyMatch(root -> share(root).hasRoom(worth));
    return freed;
  }

  /** Roots that have begun or ceased to be more than there is room for since the last call. */
  List<WatchChange> take() {
    if (!changed) {
      return List.of();
    }
    changed = false;
    Set<PosixPath> full = new LinkedHashSet<>();
    leftOutByDirectory.keySet().forEach(node -> full.add(node.root().path));
    List<WatchChange> changes = new ArrayList<>();
    for (PosixPath root : full) {
      if (told.add(root)) {
        changes.add(new WatchChange.Overfull(root));
      }
    }
    for (PosixPath root : List.copyOf(told)) {
      if (!full.contains(root)) {
        told.remove(root);
        changes.add(new WatchChange.NotOverfull(root));
      }
    }
    return changes;
  }
}
