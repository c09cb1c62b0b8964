package dev.tailwater.posix.value;

/** Events and options of inotify(7). */
public enum WatchEvent {
  /** Written or truncated. */
  MODIFY,
  /** Permissions, owner, times or number of links changed. */
  ATTRIBUTES,
  /** A descriptor that was open for writing was closed. */
  CLOSE_WRITE,
  /** A name left the directory; its cookie is that of the {@link #MOVED_TO}. */
  MOVED_FROM,
  /** A name came into the directory. */
  MOVED_TO,
  /** A name was made. */
  CREATE,
  /** A name was deleted. */
  DELETE,
  /** What is watched was deleted. */
  DELETE_SELF,
  /** What is watched was renamed. */
  MOVE_SELF,
  /** Watch only if the path is a directory. */
  ONLY_DIRECTORY,
  /** Do not follow a symbolic link. */
  NO_FOLLOW,
  /** No events for reads and writes of children that were unlinked; truncation is still told. */
  EXCLUDE_UNLINKED
}
