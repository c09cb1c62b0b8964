package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** One event of inotify(7) as the kernel writes it. */
record RawEvent(int watch, int mask, int cookie, String name) {
  static final int MODIFY = 0x002;
  static final int CLOSE_WRITE = 0x008;
  static final int MOVED_FROM = 0x040;
  static final int MOVED_TO = 0x080;
  static final int CREATE = 0x100;
  static final int DELETE = 0x200;
  static final int IGNORED = 0x8000;

  static List<RawEvent> parse(MemorySegment buffer, int lengthBytes) {
    List<RawEvent> events = new ArrayList<>();
    int at = 0;
    while (at < lengthBytes) {
      int nameBytes = buffer.get(ValueLayout.JAVA_INT, at + 12);
      events.add(
          new RawEvent(
              buffer.get(ValueLayout.JAVA_INT, at),
              buffer.get(ValueLayout.JAVA_INT, at + 4),
              buffer.get(ValueLayout.JAVA_INT, at + 8),
              nameBytes == 0 ? "" : buffer.getString(at + 16)));
      at += 16 + nameBytes;
    }
    return events;
  }
}
