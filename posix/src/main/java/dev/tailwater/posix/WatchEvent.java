package dev.tailwater.posix;

/** Events and options of inotify(7). */
public enum WatchEvent {
  MODIFY,
  ATTRIBUTES,
  CLOSE_WRITE,
  MOVED_FROM,
  MOVED_TO,
  CREATE,
  DELETE,
  DELETE_SELF,
  MOVE_SELF,
  /** Watch only if the path is a directory. */
  ONLY_DIRECTORY,
  /** Do not follow a symbolic link. */
  NO_FOLLOW,
  /** No events for children that were unlinked. */
  EXCLUDE_UNLINKED
}
