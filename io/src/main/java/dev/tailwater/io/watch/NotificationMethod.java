package dev.tailwater.io.watch;

/** Who tells a {@link DirectoryWatch} what happens; remote file systems are polled in any case. */
public enum NotificationMethod {
  /**
   * inotify(7), one watch for each directory. When the user's watches are used up, fanotify(7) for
   * the whole file system, where the process may (CAP_SYS_ADMIN) and the file system can; what is
   * left is polled.
   */
  AUTOMATIC,
  /** inotify(7); what is left is polled. */
  INOTIFY,
  /** fanotify(7) for whole file systems; what is left is polled. */
  FANOTIFY,
  /** Nobody: everything is polled, and nothing is said about it. */
  POLLING
}
