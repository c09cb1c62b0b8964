package dev.tailwater.io.watch.event;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Takes apart what read(2) on a fanotify descriptor gives; see fanotify(7). Each event is a header
 * and information records: one, or for a rename one for each end.
 *
 * <pre>
 *   0         4    5   6           8        16     20     24
 *   +---------+----+---+-----------+--------+------+------+---------
 *   | length  | 3  | 0 | header    | mask   | fd   | pid  | records
 *   +---------+----+---+-----------+--------+------+------+---------
 *   0      1   2        4       12             16            20
 *   +------+---+--------+-------+--------------+-------------+--------+------+-----+
 *   | type | 0 | length | fsid  | handle bytes | handle type | handle | name | NUL |
 *   +------+---+--------+-------+--------------+-------------+--------+------+-----+
 * </pre>
 */
final class FanotifyParser {
  private static final int HEADER_BYTES = 24;
  private static final int VERSION = 3;
  private static final int RECORD_HEADER_BYTES = 20;

  private static final int DIRECTORY_AND_NAME = 2;
  private static final int DIRECTORY = 3;
  private static final int OLD_DIRECTORY_AND_NAME = 10;
  private static final int NEW_DIRECTORY_AND_NAME = 12;

  private FanotifyParser() {}

  /** Called for each event. */
  interface Handler {
    /** The queue was full. */
    void overflow();

    /** The known directory of that handle; null when what happens there is of no interest. */
    @Nullable DirectoryNode directory(HandleKey key);

    /**
     * One event, or one end of a rename, in a known directory.
     *
     * @param mask bits of {@link EventMask}
     * @param name empty when the event is about the directory itself
     */
    void event(DirectoryNode node, int mask, PosixPath name);
  }

  /** Hands on every event in the first bytes of the buffer; returns how many there were. */
  static int parse(MemorySegment buffer, int lengthBytes, Handler handler) {
    int count = 0;
    int at = 0;
    while (at + HEADER_BYTES <= lengthBytes) {
      int eventBytes = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      int version = buffer.get(ValueLayout.JAVA_BYTE, at + 4);
      int headerBytes = buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 6);
      if (version != VERSION || eventBytes < HEADER_BYTES || at + eventBytes > lengthBytes) {
        break;
      }
      int mask = (int) buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 8);
      if ((mask & EventMask.OVERFLOW) != 0) {
        handler.overflow();
      }
      records(buffer, at + headerBytes, at + eventBytes, mask, handler);
      at += eventBytes;
      count++;
    }
    if (at != lengthBytes) {
      throw new IllegalStateException(
          "fanotify events end at byte " + at + " of " + lengthBytes + ": a broken read");
    }
    return count;
  }

  private static void records(MemorySegment buffer, int from, int end, int mask, Handler handler) {
    int at = from;
    while (at + RECORD_HEADER_BYTES <= end) {
      int type = buffer.get(ValueLayout.JAVA_BYTE, at);
      int recordBytes = buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2);
      if (recordBytes < RECORD_HEADER_BYTES || at + recordBytes > end) {
        throw new IllegalStateException("a fanotify record of " + recordBytes + " bytes");
      }
      int present = ofRecord(type, mask);
      if (present != 0) {
        record(buffer, at, recordBytes, present, type != DIRECTORY, handler);
      }
      at += recordBytes;
    }
  }

  /** What the record says of its directory: a rename is an event with a record for each end. */
  private static int ofRecord(int type, int mask) {
    return switch (type) {
      case DIRECTORY_AND_NAME, DIRECTORY -> mask;
      case OLD_DIRECTORY_AND_NAME -> mask | EventMask.MOVED_FROM;
      case NEW_DIRECTORY_AND_NAME -> mask | EventMask.MOVED_TO;
      default -> 0;
    };
  }

  private static void record(
      MemorySegment buffer, int at, int recordBytes, int mask, boolean named, Handler handler) {
    int handleBytes = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + 12);
    int nameAt = RECORD_HEADER_BYTES + handleBytes;
    if (handleBytes < 0 || nameAt > recordBytes) {
      throw new IllegalStateException("a fanotify record with a handle of " + handleBytes);
    }
    FileHandle handle =
        new FileHandle(
            buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + 16),
            buffer.asSlice(at + RECORD_HEADER_BYTES, handleBytes).toArray(ValueLayout.JAVA_BYTE));
    DirectoryNode node =
        handler.directory(
            new HandleKey(buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 4), handle));
    if (node != null) {
      handler.event(
          node, mask, named ? name(buffer, at + nameAt, at + recordBytes) : PosixPath.EMPTY);
    }
  }

  /** The directory itself is called "." */
  private static PosixPath name(MemorySegment buffer, int from, int end) {
    int length = 0;
    while (from + length < end && buffer.get(ValueLayout.JAVA_BYTE, from + length) != 0) {
      length++;
    }
    if (length == 0 || (length == 1 && buffer.get(ValueLayout.JAVA_BYTE, from) == '.')) {
      return PosixPath.EMPTY;
    }
    return PosixPath.of(buffer, from, length);
  }
}
