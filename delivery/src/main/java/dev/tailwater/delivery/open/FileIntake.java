package dev.tailwater.delivery.open;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;

/**
 * Takes in the files that are found at paths. Called by the watch thread only. What throws an
 * IOException cannot tell what is known of the file, which is tried again later.
 */
public interface FileIntake {
  /**
   * Takes over the descriptor of an opened file.
   *
   * @return false where the file is left out, since it cannot be told from another one now
   */
  boolean opened(PosixPath path, TailOpener.Opened opened) throws IOException;

  /** As {@link #opened}, for a file that was opened in an early place. */
  boolean openedEarly(PosixPath path, TailOpener.Opened opened) throws IOException;

  /** Returns whether {@link #seen} and {@link #openedInPassing} may take in files. */
  boolean takesInPassing();

  /** Takes in a file that is not open, if it need not be; returns whether that is so. */
  boolean seen(PosixPath path, TailOpener.Seen seen) throws IOException;

  /**
   * Takes in a file for whose descriptor there is no room, if it needs none; returns whether that
   * is so. The descriptor stays the caller's.
   */
  boolean openedInPassing(PosixPath path, TailOpener.Opened opened) throws IOException;

  /** Returns whether a file that was looked at may be one that is open; asks the numbers only. */
  boolean mayBeOpen(FileStatus seen);

  /** Returns whether the file is open. */
  boolean isOpen(FileIdentity identity);

  /**
   * Gives one more name to a file that was taken in before, if it still is there.
   *
   * @return false where it is left out, as in {@link #opened}
   */
  boolean named(PosixPath path, FileIdentity identity) throws IOException;

  /** Takes the path from what was there before: the file that is there now is left out. */
  void leftOut(PosixPath path);

  /** Forgets what was at a path: nothing is there any more. */
  void gone(PosixPath path);
}
