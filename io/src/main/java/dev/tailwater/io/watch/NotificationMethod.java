package dev.tailwater.io.watch;

/** The source of events of a {@link DirectoryWatch}; remote file systems are always polled. */
public enum NotificationMethod {
  /**
   * inotify(7), one watch for each directory. When the user's watches are used up, fanotify(7) for
   * the whole file system, if the process has CAP_SYS_ADMIN and the file system supports it. The
   * remaining directories are polled.
   */
  AUTOMATIC,
  /** inotify(7); the remaining directories are polled. */
  INOTIFY,
  /** fanotify(7) for whole file systems; the remaining directories are polled. */
  FANOTIFY,
  /** No events: everything is polled, and no {@link WatchChange.Degraded} is reported. */
  POLLING
}
