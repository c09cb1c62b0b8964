package dev.tailwater.io.watch;

import dev.tailwater.io.FairShares;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The budget that keeps the memory of names within its bound, and each root and each owner of
 * directories within its share. Names without room are only counted; a later scan adds them. For
 * one thread.
 */
public final class NameBudget {
  /** A quarter is reserved for the roots in equal parts. */
  private static final int RESERVED_FRACTION = 4;

  /** A scan of its own pays once this fraction of the whole is free. */
  private static final int SCAN_FRACTION = 32;

  private final NameBound bound;
  private final FairShares shares;
  private final OwnerShares owners;
  private final Map<DirectoryNode, FairShares.Share> shareByRoot = new LinkedHashMap<>();
  private final Map<DirectoryNode, Long> leftOutByDirectory = new LinkedHashMap<>();
  private final Set<PosixPath> reported = new HashSet<>();

  /** Taken for names that the current pass has listed and will add at its end. */
  private final Map<Room, Long> pending = new LinkedHashMap<>();

  /** Taken for files that wait, by the root that they are below. */
  private final Map<DirectoryNode, Long> waiting = new LinkedHashMap<>();

  private long leftOut;

  /** Whether the set of directories with left-out names has changed since the last report. */
  private boolean changed;

  /** Whether there may be room for names that were left out. */
  private boolean freed;

  /**
   * The room for names in some directories.
   *
   * @param share that of their root
   * @param guest their owner, unless it is that of the root
   */
  private record Room(FairShares.Share share, OptionalLong guest) {}

  NameBudget(NameBound bound, int roots) {
    this.bound = bound;
    this.shares = new FairShares(bound.totalBytes(), Math.max(1, roots), RESERVED_FRACTION);
    this.owners = new OwnerShares(bound.totalBytes());
  }

  /** Releases the reservations of a pass, whose names are added now or gone. */
  void settlePending() {
    pending.forEach((room, bytes) -> take(room, -bytes));
    pending.clear();
  }

  /** Takes room for the files that wait now, instead of those that waited before. */
  void settleWaiting(Backlog backlog) {
    if (bound.bytesEachWaitingFile() == 0) {
      return;
    }
    for (Map.Entry<DirectoryNode, FairShares.Share> user : shareByRoot.entrySet()) {
      DirectoryNode root = user.getKey();
      long bytes =
          bound.costOfWaiting(backlog.waitingFiles(root.path), backlog.waitingPathBytes(root.path));
      Long before = bytes == 0 ? waiting.remove(root) : waiting.put(root, bytes);
      long growth = bytes - (before == null ? 0 : before);
      user.getValue().take(growth);
      freed |= growth < 0;
    }
  }

  /** Reserves room for an unknown name; returns whether there was room. */
  boolean admit(DirectoryNode node, PosixPath name, EntryType type) {
    long bytes = type == EntryType.DIRECTORY ? costOfDirectory(node, name) : costOfFile(node, name);
    Room room = room(node);
    boolean fits = hasRoom(room, bytes);
    if (fits) {
      take(room, bytes);
      pending.merge(room, bytes, Long::sum);
    }
    return fits;
  }

  /** Returns whether there is room for a file that has turned out to be new. */
  boolean hasRoomForFile(DirectoryNode node, PosixPath name) {
    return hasRoom(room(node), costOfFile(node, name));
  }

  boolean hasRoomForDirectory(DirectoryNode node, PosixPath name) {
    return hasRoom(room(node), costOfDirectory(node, name));
  }

  /** That of a file does not change while its directory is known, whatever that is called. */
  private long costOfFile(DirectoryNode node, PosixPath name) {
    return bound.costOfFile(node.costedPathBytes, name.lengthBytes());
  }

  private long costOfDirectory(DirectoryNode node, PosixPath name) {
    return bound.costOfDirectory(node.path.lengthBytes() + 1 + name.lengthBytes());
  }

  void addedFile(DirectoryNode node, PosixPath name) {
    take(node, costOfFile(node, name));
  }

  void removedFile(DirectoryNode node, PosixPath name) {
    give(node, costOfFile(node, name));
  }

  void added(DirectoryNode node) {
    node.costedPathBytes = node.path.lengthBytes();
    node.costBytes = bound.costOfDirectory(node.path.lengthBytes());
    take(node, node.costBytes);
  }

  void removed(DirectoryNode node) {
    give(node, node.costBytes);
    leftOut(node, 0);
  }

  private void take(DirectoryNode node, long bytes) {
    if (bytes > 0) {
      take(room(node), bytes);
    }
  }

  private void give(DirectoryNode node, long bytes) {
    if (bytes > 0) {
      Room room = room(node);
      take(room, -bytes);
      freed = true;
      if (room.share().taken() == 0) {
        shareByRoot.remove(node.root());
      }
    }
  }

  private boolean hasRoom(Room room, long bytes) {
    return room.share().hasRoom(bytes) && owners.hasRoom(room.guest(), bytes);
  }

  private void take(Room room, long bytes) {
    room.share().take(bytes);
    owners.take(room.guest(), bytes);
  }

  private Room room(DirectoryNode node) {
    DirectoryNode root = node.root();
    return new Room(
        shareByRoot.computeIfAbsent(root, _ -> shares.share()),
        node.ownerId == root.ownerId ? OptionalLong.empty() : OptionalLong.of(node.ownerId));
  }

  /** Gives back the room of a directory and everything below it, before its parent changes. */
  void beforeMove(DirectoryNode node) {
    give(node, node.costBytes + costOfFiles(node));
    node.directories.values().forEach(this::beforeMove);
  }

  /** Takes that room again, after its parent changed. */
  void afterMove(DirectoryNode node) {
    take(node, node.costBytes + costOfFiles(node));
    node.directories.values().forEach(this::afterMove);
  }

  /** Gives back the room of all files of a directory. */
  void removedFiles(DirectoryNode node) {
    give(node, costOfFiles(node));
  }

  private long costOfFiles(DirectoryNode node) {
    return bound.costOfFiles(node.files.size(), node.costedPathBytes, node.files.nameBytes());
  }

  /** Records how many names of the directory found no room in the last listing. */
  void leftOut(DirectoryNode node, long names) {
    Long before =
        names == 0 ? leftOutByDirectory.remove(node) : leftOutByDirectory.put(node, names);
    leftOut += names - (before == null ? 0 : before);
    changed |= (before == null) != (names == 0);
  }

  /**
   * Records how many names of the directory found no room, perhaps some that were counted before.
   */
  void leftOutAtLeast(DirectoryNode node, long names) {
    if (names > leftOutByDirectory.getOrDefault(node, 0L)) {
      leftOut(node, names);
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
            .map(this::room)
            .distinct()
            .anyMatch(room -> hasRoom(room, worth));
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
