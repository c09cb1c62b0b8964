package dev.tailwater.posix.value;

/** What a mark of fanotify asks to be told; names as in fanotify_mark(2). */
public enum FanotifyEvent {
  /** Written or truncated. */
  MODIFY(0x2),
  /** Permissions, times, links. */
  ATTRIBUTES(0x4),
  /** A descriptor that could write was closed. */
  CLOSE_WRITE(0x8),
  /** The old name of a rename. */
  MOVED_FROM(0x40),
  /** The new name of a rename. */
  MOVED_TO(0x80),
  /** A name was made. */
  CREATE(0x100),
  /** A name was unlinked. */
  DELETE(0x200),
  /** A directory was removed. */
  DELETE_SELF(0x400),
  /** A directory was renamed. */
  MOVE_SELF(0x800),
  /** Both names of a rename in one event; since Linux 5.17. */
  RENAME(0x1000_0000),
  /** All of these about directories too, not only about files. */
  ON_DIRECTORY(0x4000_0000);

  private final long bit;

  FanotifyEvent(long bit) {
    this.bit = bit;
  }

  /** Its bit in the mask of a mark and of an event. */
  public long bit() {
    return bit;
  }
}
