package dev.tailwater.io.watch.early;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * Is told at once what happens to names, in the order in which it happened. Called by the thread of
 * {@link EarlyNames#run}, except where a method says otherwise. By the time of a call, a name may
 * be gone again, lead to another file, or be that of a link or a socket: only a descriptor can
 * tell. Every call delays the next.
 *
 * <p>Only wanted names of things that are no directories are told. A rename between a wanted name
 * and another one is told as a file that came from, or went, somewhere else.
 */
public interface NameListener {
  /** What to do where the kernel refuses inotify with EPERM or ENOSYS. */
  String NOT_PERMITTED =
      "inotify is not permitted here: permit inotify_init1, inotify_add_watch and inotify_rm_watch"
          + " in the sandbox, such as the seccomp profile of the container";

  /** All that is told until {@link #caughtUp} is read from now on. */
  void reading();

  /** The name was created, by open(2), link(2) or the like. */
  void created(PosixPath path);

  /** The name is in a directory that is so new that its creation may or may not be told too. */
  void listed(PosixPath path);

  /** The file was renamed; whatever was at the new name before is not there any more. */
  void renamed(PosixPath from, PosixPath path);

  /** A file came to the name from where nothing is watched. */
  void movedIn(PosixPath path);

  /** The file has left the name for where nothing is watched. */
  void movedOut(PosixPath path);

  /** The name was deleted. */
  void deleted(PosixPath path);

  /** Everything is told that had happened before {@link #reading}, and some that happened since. */
  void caughtUp();

  /** The directory has a new path, by which it is told of from now on. For the watch's thread. */
  void directoryRenamed(PosixPath from, PosixPath path);

  /** The directory is not told of any more. Called by the thread of the watch. */
  void directoryReleased(PosixPath path);

  /** The kernel has dropped events, so that names may have come and gone untold. */
  void overflowed();

  /**
   * No more names are told: the limit of inotify watches or instances is reached, and the watch
   * needs them more; or inotify is not permitted here. Called by the thread of the watch.
   */
  void limited(ErrnoException why);

  /** Something failed; the next names are told all the same. For any thread. */
  void failed(Throwable why);
}
