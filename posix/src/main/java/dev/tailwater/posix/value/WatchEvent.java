package dev.tailwater.posix.value;

/** Events and options of inotify(7). */
public enum WatchEvent {
  /** A file was written or truncated. */
  MODIFY,
  /** Permissions, owner, times or number of links changed. */
  ATTRIBUTES,
  /** A descriptor that was open for writing was closed. */
  CLOSE_WRITE,
  /** A name was moved out of the directory; the {@link #MOVED_TO} event has the same cookie. */
  MOVED_FROM,
  /** A name was moved into the directory. */
  MOVED_TO,
  /** A name was created. */
  CREATE,
  /** A name was deleted. */
  DELETE,
  /** The watched file or directory was deleted. */
  DELETE_SELF,
  /** The watched file or directory was renamed. */
  MOVE_SELF,
  /** Add a watch only if the path is a directory. */
  ONLY_DIRECTORY,
  /** Do not follow a symbolic link. */
  NO_FOLLOW,
  /** Report no reads and writes of children that were unlinked; truncation is still reported. */
  EXCLUDE_UNLINKED
}
