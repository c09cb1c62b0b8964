package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import java.util.Map;

/**
 * What the caller of a {@link DirectoryWatch} has not dealt with yet. As long as files below a root
 * wait, the watch lists no directory below it, so that the names which it finds do not gather in
 * memory; it goes on looking at the names that events report. Asked by the thread of the watch.
 */
public interface Backlog {
  /** That of a caller who keeps up with everything. */
  Backlog NONE = _ -> 0;

  /** Returns how many files wait that have appeared below a root. */
  int waitingFiles(PosixPath root);

  /** Returns how many bytes the paths of these files have together. */
  default long waitingPathBytes(PosixPath root) {
    return 0;
  }

  /**
   * Returns how many of these files each owner has, by user id. The watch goes on looking for names
   * of other owners then, so that one owner's files do not hold up another's. If the caller does
   * not know the owners, as by default, all names wait.
   */
  default Map<Long, Integer> waitingByOwner(PosixPath root) {
    return Map.of();
  }
}
