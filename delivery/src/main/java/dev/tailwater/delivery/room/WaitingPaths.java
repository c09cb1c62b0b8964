package dev.tailwater.delivery.room;

import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/**
 * The paths of one source that wait to be opened. The owners of the files take turns, and of each
 * owner those that wait longest come first. So who has one file waits for at most one file of each
 * other owner, however many these have. No operation takes longer when there are more paths. For
 * one thread.
 */
final class WaitingPaths {
  private final Map<PosixPath, Long> ownerByPath = new HashMap<>();

  /** The paths of each owner that has some; the owner whose turn is next comes first. */
  private final LinkedHashMap<Long, LinkedHashSet<PosixPath>> pathsByOwner = new LinkedHashMap<>();

  private long pathBytes;

  /** A path with its owner. */
  record Next(PosixPath path, long ownerId) {}

  /** Adds a path behind the others of its owner, unless it waits already. */
  void add(PosixPath path, long ownerId) {
    if (ownerByPath.putIfAbsent(path, ownerId) == null) {
      pathsByOwner.computeIfAbsent(ownerId, _ -> new LinkedHashSet<>()).add(path);
      pathBytes += path.lengthBytes();
    }
  }

  /** Removes a path that need not wait any more. */
  void remove(PosixPath path) {
    Long ownerId = ownerByPath.remove(path);
    if (ownerId == null) {
      return;
    }
    pathBytes -= path.lengthBytes();
    LinkedHashSet<PosixPath> paths = pathsByOwner.get(ownerId);
    if (paths != null && paths.remove(path) && paths.isEmpty()) {
      pathsByOwner.remove(ownerId);
    }
  }

  boolean contains(PosixPath path) {
    return ownerByPath.containsKey(path);
  }

  boolean isEmpty() {
    return ownerByPath.isEmpty();
  }

  int size() {
    return ownerByPath.size();
  }

  /** Returns how many bytes all paths have together. */
  long pathBytes() {
    return pathBytes;
  }

  /** Returns how many owners have files that wait. */
  int owners() {
    return pathsByOwner.size();
  }

  /** Returns the path whose turn it is. */
  Optional<Next> next() {
    return Optional.ofNullable(pathsByOwner.firstEntry())
        .map(first -> new Next(first.getValue().getFirst(), first.getKey()));
  }

  /** Ends the turn of an owner: all others come first now. */
  void endTurn(long ownerId) {
    LinkedHashSet<PosixPath> paths = pathsByOwner.get(ownerId);
    if (paths != null) {
      pathsByOwner.putLast(ownerId, paths);
    }
  }

  /** Returns how many files of each owner wait. */
  Map<Long, Integer> countByOwner() {
    Map<Long, Integer> countByOwner = new HashMap<>();
    pathsByOwner.forEach((owner, paths) -> countByOwner.put(owner, paths.size()));
    return countByOwner;
  }

  /** Adds how many files of each owner wait. */
  void countInto(Map<Long, Long> countByOwner) {
    pathsByOwner.forEach(
        (owner, paths) -> countByOwner.merge(owner, (long) paths.size(), Long::sum));
  }
}
