package dev.tailwater.io.watch.early;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * Is told at once when a name appears. Called by the thread of {@link EarlyNames#run} only, except
 * {@link #limited}. A name may be gone again by the time of the call, may lead to another file, or
 * be that of a link or a socket: only a descriptor can tell. Every call delays the next.
 */
public interface NameListener {
  /**
   * A wanted name was created, or renamed from where nothing is watched.
   *
   * @return whether the listener has the file, so that it is not lost with its name
   */
  boolean appeared(PosixPath path);

  /**
   * A name was renamed to a wanted one.
   *
   * @param from the former path, wanted or not
   * @return as {@link #appeared}
   */
  boolean renamed(PosixPath from, PosixPath path);

  /**
   * A file was deleted that the listener does not have. Told only in new directories that the watch
   * does not know yet: it sees what is deleted elsewhere.
   */
  void missed(PosixPath path);

  /**
   * No more names are told: the limit of inotify watches or instances is reached, and the watch
   * needs them more. Called by the thread of the watch.
   */
  void limited(ErrnoException why);

  /** Something failed; the next names are told all the same. */
  void failed(Throwable why);
}
