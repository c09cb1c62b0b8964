package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Takes apart what read(2) on an inotify descriptor gives; see inotify(7).
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+----------------------------+
 *   | wd     | mask   | cookie | length | name, NUL-padded to length |
 *   +--------+--------+--------+--------+----------------------------+
 * </pre>
 */
final class EventParser {
  static final int MODIFY = 0x2;
  static final int ATTRIBUTES = 0x4;
  static final int MOVED_FROM = 0x40;
  static final int MOVED_TO = 0x80;
  static final int DELETE = 0x200;
  static final int DELETE_SELF = 0x400;
  static final int MOVE_SELF = 0x800;
  static final int UNMOUNT = 0x2000;
  static final int OVERFLOW = 0x4000;
  static final int IGNORED = 0x8000;
  static final int IS_DIRECTORY = 0x4000_0000;

  private static final int HEADER_BYTES = 16;

  private EventParser() {}

  /** Called for each event. */
  interface Handler {
    /**
     * One event.
     *
     * @param mask bits as the constants above
     * @param name empty when the event is about the directory itself
     */
    void event(int watchDescriptor, int mask, int cookie, PosixPath name);
  }

  /** Hands on every event in the first bytes of the buffer; returns how many there were. */
  static int parse(MemorySegment buffer, int lengthBytes, Handler handler) {
    int count = 0;
    int at = 0;
    while (at + HEADER_BYTES <= lengthBytes) {
      int nameBytes = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + 12);
      handler.event(
          buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at),
          buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4),
          buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + 8),
          name(buffer, at + HEADER_BYTES, nameBytes));
      at += HEADER_BYTES + nameBytes;
      count++;
    }
    if (at != lengthBytes) {
      throw new IllegalStateException(
          "inotify events end at byte " + at + " of " + lengthBytes + ": a broken read");
    }
    return count;
  }

  private static PosixPath name(MemorySegment buffer, int from, int paddedBytes) {
    int length = 0;
    while (length < paddedBytes && buffer.get(ValueLayout.JAVA_BYTE, from + length) != 0) {
      length++;
    }
    if (length == 0) {
      return PosixPath.EMPTY;
    }
    return PosixPath.of(buffer.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE));
  }
}
