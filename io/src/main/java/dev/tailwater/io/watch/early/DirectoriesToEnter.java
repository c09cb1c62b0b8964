package dev.tailwater.io.watch.early;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The directories below a new one that are still to be watched and listed, first in, first out. A
 * tree that is moved in may have any number; those without room are left to the watch, which finds
 * them at its next look.
 */
final class DirectoriesToEnter {
  static final int MOST_PATH_BYTES = 1 << 20;

  private final Deque<PosixPath> paths = new ArrayDeque<>();
  private int pathBytes;

  /** Adds a directory, if there is room for it. */
  void offer(PosixPath path) {
    if (paths.size() < NewDirectories.MOST && path.lengthBytes() <= MOST_PATH_BYTES - pathBytes) {
      paths.add(path);
      pathBytes += path.lengthBytes();
    }
  }

  /** Removes and returns the directory that was added first. */
  Optional<PosixPath> poll() {
    Optional<PosixPath> first = Optional.ofNullable(paths.poll());
    first.ifPresent(path -> pathBytes -= path.lengthBytes());
    return first;
  }
}
