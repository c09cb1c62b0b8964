package dev.tailwater.io.watch.result;

import dev.tailwater.posix.PosixPath;

/** The changes of files that a pass reports, in an order in which they can be applied. */
public interface FileChanges {
  /** Adds a name that was created and deleted again before anybody looked at it. */
  void missed(PosixPath path, boolean written);

  /** Adds a name that is gone. */
  void disappeared(PosixPath path);

  /** Adds the new name of a file. */
  void renamed(PosixPath from, PosixPath path);

  /** Adds a name that a file has, and that it or another file may have had before. */
  void appeared(PosixPath path);

  /** Adds a file that was written. */
  void modified(PosixPath path);

  /** Adds a name at which a file was opened that is written and does not have it any more. */
  void writtenElsewhere(PosixPath path);
}
