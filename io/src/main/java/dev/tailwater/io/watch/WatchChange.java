package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * A change below the watched roots. Only regular files are reported (and links to them, where links
 * are followed); a moved directory is reported as its files.
 *
 * <p>If a list of changes is applied in its order, {@code Appeared}, {@code Renamed} and {@code
 * Disappeared} give the exact set of names. Which file a name stands for is known only after
 * opening it: the file may have been replaced again.
 */
public sealed interface WatchChange {
  /** Returns the absolute path that changed. */
  PosixPath path();

  /**
   * A file has this name. Reported again, without a {@code Disappeared}, if another file (inode)
   * takes a known name.
   */
  record Appeared(PosixPath path) implements WatchChange {}

  /** The file was written, truncated or touched. The last read may have seen the change already. */
  record Modified(PosixPath path) implements WatchChange {}

  /**
   * The same file (inode and birth time) has a new name.
   *
   * @param from the name that it had
   */
  record Renamed(PosixPath from, PosixPath path) implements WatchChange {}

  /** The name is gone: deleted, or moved out of the watched roots. */
  record Disappeared(PosixPath path) implements WatchChange {}

  /**
   * A name was created and deleted again before the watch could look at it. It was never reported
   * as {@link Appeared}.
   *
   * @param written whether somebody wrote there, or closed what was open for writing; otherwise it
   *     may have been a link, a socket, or a second name of a file
   */
  record Missed(PosixPath path, boolean written) implements WatchChange {}

  /**
   * Somebody writes to a file that no longer has the name at which it was opened. It may be
   * deleted, or a file that is known by another name: one whose first name was unlinked after
   * link(2), or one that linkat(2) gave its first name (O_TMPFILE). The kernel goes on telling of
   * the old name.
   */
  record WrittenElsewhere(PosixPath path) implements WatchChange {}

  /**
   * The watch cannot look at the file, or at the directory and everything below it (EACCES, EMFILE,
   * EIO and others). Nothing below it counts as deleted. Reported once until the reason changes.
   */
  record Unobservable(PosixPath path, ErrnoException why) implements WatchChange {}

  /**
   * The watch can look at an unobservable file or directory again, and reports what has changed
   * meanwhile; or the kernel again reports changes of everything that was {@link Degraded}.
   */
  record Observable(PosixPath path) implements WatchChange {}

  /**
   * There are more names below this root than the {@linkplain WatchOptions#names bound} allows. The
   * remaining names are left out until a later scan finds room for them; {@link WatchStatistics}
   * counts them.
   */
  record Overfull(PosixPath path) implements WatchChange {}

  /** The watch knows all names below the root again. */
  record NotOverfull(PosixPath path) implements WatchChange {}

  /**
   * Changes are seen later, but none is missed: directories are polled because the kernel does not
   * report their changes. Reported for the first such directory of each reason, and again whenever
   * their number has doubled; {@link WatchStatistics} counts them.
   *
   * @param directories the number of polled directories
   * @param why the failure of the kernel; the reason why fanotify(7) does not help is {@linkplain
   *     Throwable#getSuppressed suppressed} in it
   * @param hint what the user can do about it
   */
  record Degraded(PosixPath path, int directories, ErrnoException why, String hint)
      implements WatchChange {}
}
