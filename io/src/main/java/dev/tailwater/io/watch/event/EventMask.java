package dev.tailwater.io.watch.event;

/** Bits of an event; inotify(7) and fanotify(7) use the same ones, but for the last two. */
public final class EventMask {
  public static final int MODIFY = 0x2;
  static final int ATTRIBUTES = 0x4;
  static final int CLOSE_WRITE = 0x8;
  public static final int MOVED_FROM = 0x40;
  public static final int MOVED_TO = 0x80;
  public static final int CREATE = 0x100;
  public static final int DELETE = 0x200;
  static final int DELETE_SELF = 0x400;
  static final int MOVE_SELF = 0x800;
  static final int UNMOUNT = 0x2000;
  public static final int OVERFLOW = 0x4000;
  public static final int IS_DIRECTORY = 0x4000_0000;

  /** Of inotify: the watch is gone. */
  public static final int IGNORED = 0x8000;

  /** Of fanotify: both ends of a rename. */
  static final int RENAME = 0x1000_0000;

  private EventMask() {}
}
