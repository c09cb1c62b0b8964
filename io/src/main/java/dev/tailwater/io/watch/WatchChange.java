package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * One thing that happened below the watched roots. Only regular files are reported (and, where
 * links are followed, links to them); a moved directory is reported as its files.
 *
 * <p>A list of changes is to be applied in its order; then {@code Appeared}, {@code Renamed} and
 * {@code Disappeared} alone give the exact set of names. What a name stands for is known only after
 * opening it: the file may have been replaced again.
 */
public sealed interface WatchChange {
  /** The absolute path it is about. */
  PosixPath path();

  /**
   * A file is there under this name. Reported again, without a {@code Disappeared}, when another
   * file (inode) has taken a known name.
   */
  record Appeared(PosixPath path) implements WatchChange {}

  /** The file was written, truncated or touched; perhaps already seen by the last read. */
  record Modified(PosixPath path) implements WatchChange {}

  /**
   * The same file (inode and birth time) has a new name.
   *
   * @param from the name that it had
   */
  record Renamed(PosixPath from, PosixPath path) implements WatchChange {}

  /** The name is gone: deleted, or moved to where nobody watches. */
  record Disappeared(PosixPath path) implements WatchChange {}

  /**
   * A file was made here and deleted again before it could be looked at: it is not there, and was
   * not reported to have {@link Appeared}. What kind of file it was, nobody knows.
   */
  record Missed(PosixPath path) implements WatchChange {}

  /**
   * The file, or directory with everything below it, cannot be looked at now (EACCES, EMFILE, EIO
   * and others). Nothing below it is taken for deleted. Reported once until it changes.
   */
  record Unobservable(PosixPath path, ErrnoException why) implements WatchChange {}

  /**
   * What was unobservable can be looked at again; what has changed meanwhile is reported too. Or
   * the kernel tells of everything again that was {@link Degraded}.
   */
  record Observable(PosixPath path) implements WatchChange {}

  /**
   * There are more names below this root than the {@linkplain WatchOptions#names bound} allows. The
   * rest is left out, and found by a later scan when others have gone; {@link WatchStatistics}
   * counts it.
   */
  record Overfull(PosixPath path) implements WatchChange {}

  /** Everything below the root is known again. */
  record NotOverfull(PosixPath path) implements WatchChange {}

  /**
   * Nothing is missed, but changes are seen later: directories are polled, since the kernel tells
   * nothing of them. Reported for the first such directory of each reason, and again whenever there
   * are twice as many; {@link WatchStatistics} counts them.
   *
   * @param directories how many are polled
   * @param why what the kernel said; why fanotify(7) does not help is {@linkplain
   *     Throwable#getSuppressed suppressed} in it
   * @param hint what the user can do about it
   */
  record Degraded(PosixPath path, int directories, ErrnoException why, String hint)
      implements WatchChange {}
}
