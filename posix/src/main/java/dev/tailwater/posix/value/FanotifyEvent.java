package dev.tailwater.posix.value;

/** Events and options of a fanotify mark; see fanotify_mark(2). */
public enum FanotifyEvent {
  /** A file was written or truncated. */
  MODIFY(0x2),
  /** Permissions, times or the number of links changed. */
  ATTRIBUTES(0x4),
  /** A descriptor that was open for writing was closed. */
  CLOSE_WRITE(0x8),
  /** A file was renamed; the event has the old name. */
  MOVED_FROM(0x40),
  /** A file was renamed; the event has the new name. */
  MOVED_TO(0x80),
  /** A name was created. */
  CREATE(0x100),
  /** A name was unlinked. */
  DELETE(0x200),
  /** A directory was removed. */
  DELETE_SELF(0x400),
  /** A directory was renamed. */
  MOVE_SELF(0x800),
  /** A file was renamed; one event has both names (Linux 5.17 and newer). */
  RENAME(0x1000_0000),
  /** Report these events for directories too, not only for files. */
  ON_DIRECTORY(0x4000_0000);

  private final long bit;

  FanotifyEvent(long bit) {
    this.bit = bit;
  }

  /** Returns the bit of this event in the mask of a mark or an event. */
  public long bit() {
    return bit;
  }
}
