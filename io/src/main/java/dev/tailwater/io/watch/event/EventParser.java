package dev.tailwater.io.watch.event;

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
public final class EventParser {
  private static final int HEADER_BYTES = 16;

  private EventParser() {}

  /** Called for each event. */
  public interface Handler {
    /**
     * One event.
     *
     * @param mask bits of {@link EventMask}
     * @param name empty when the event is about the directory itself
     */
    void event(int watchDescriptor, int mask, int cookie, PosixPath name);
  }

  /** Hands on every event in the first bytes of the buffer; returns how many there were. */
  public static int parse(MemorySegment buffer, int lengthBytes, Handler handler) {
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
    return PosixPath.of(buffer, from, length);
  }
}
