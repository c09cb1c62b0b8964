package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;

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
}
