package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A scanner of every whole record of a data file, also behind damage. Where there is none, it tries
 * every offset for the next one: a record's header is bound to file and place by its checksum, so
 * that values cannot imitate one, and each byte is read a bounded number of times.
 *
 * <p>Does not recognize torn tails: the visitor gets the marks too, and can tell. Changes nothing.
 * Used by one thread.
 */
public final class SalvageScanner implements AutoCloseable {
  private static final int HEADER_BYTES = RecordHeader.LENGTH_BYTES;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final long salt;
  private final long sizeBytes;
  private final FileWindow window;
  private final RecordHeader record = new RecordHeader();

  private SalvageScanner(long salt, long sizeBytes, FileWindow window) {
    this.salt = salt;
    this.sizeBytes = sizeBytes;
    this.window = window;
  }

  /** Over an open file with this salt; the descriptor stays the caller's. */
  public static SalvageScanner over(FileCalls calls, int fd, PosixPath file, long salt)
      throws IOException {
    long sizeBytes = calls.fstat(fd).sizeBytes();
    return new SalvageScanner(salt, sizeBytes, new FileWindow(calls, fd, file, sizeBytes));
  }

  /** Length of the file when it was opened. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Takes what is found, in order; header and bytes are only lent. */
  public interface Visitor {
    /** A whole record or mark. */
    void whole(RecordHeader header, RecordBytes bytes, int from, long offsetBytes)
        throws IOException;

    /**
     * The header of a record is whole, and what is behind it is not, but is there at least to the
     * end of the key. It lies in the next {@link #gap}.
     */
    void broken(RecordHeader header, RecordBytes bytes, int from, long offsetBytes)
        throws IOException;

    /** There is no whole record in this range; the next one begins at its end, or the file ends. */
    void gap(long fromBytes, long toBytes, String why) throws IOException;
  }

  /**
   * Visits everything from the first record on.
   *
   * @param lastSequence number of the last record before this file; records whose numbers do not
   *     ascend from there are taken for damaged
   * @param endBytes what lies behind this offset is not looked at
   */
  public void scan(long lastSequence, long endBytes, Visitor visitor) throws IOException {
    long end = Math.min(sizeBytes, endBytes);
    long sequence = lastSequence;
    long at = FileHeader.LENGTH_BYTES;
    while (at < end) {
      if (!readHeader(at, end)) {
        long next = nextHeader(at + 1, end);
        visitor.gap(at, next, "no record");
        at = next;
        continue;
      }
      int length = record.recordBytes();
      if (length > end - at) {
        giveBroken(at, end, visitor);
        visitor.gap(at, end, "the file ends within a record");
        return;
      }
      int from = window.load(at, length);
      boolean isMark = record.has(RecordHeader.MARK);
      if (!window.bytes().bodyIsWhole(from, record)) {
        visitor.broken(record, window.bytes(), from, at);
        visitor.gap(at, at + length, "a record's checksum is wrong");
      } else if (isMark ? record.sequence() < sequence : record.sequence() <= sequence) {
        visitor.gap(at, at + length, "a record's number is not above that of the one before");
      } else {
        sequence = record.sequence();
        visitor.whole(record, window.bytes(), from, at);
      }
      at += length;
    }
  }

  /** As far as its key is there. */
  private void giveBroken(long at, long end, Visitor visitor) throws IOException {
    int keyEnd = record.keyOffsetBytes() + record.keyBytes();
    if (keyEnd <= end - at) {
      int from = window.load(at, keyEnd);
      visitor.broken(record, window.bytes(), from, at);
    }
  }

  private boolean readHeader(long offset, long end) throws IOException {
    if (end - offset < HEADER_BYTES) {
      return false;
    }
    int from = window.load(offset, HEADER_BYTES);
    return window.bytes().readHeader(from, salt, offset, record);
  }

  /** The first offset with a whole header, or the end. */
  private long nextHeader(long fromBytes, long end) throws IOException {
    long at = fromBytes;
    while (end - at >= HEADER_BYTES) {
      int from = window.load(at, HEADER_BYTES);
      long available = Math.min(window.available(at), end - at);
      int last = (int) (from + available - HEADER_BYTES);
      for (int i = from; i <= last; i++, at++) {
        if (mayBeHeader(i) && window.bytes().readHeader(i, salt, at, record)) {
          return at;
        }
      }
    }
    return end;
  }

  /** A quick look that spares most offsets the checksum. */
  private boolean mayBeHeader(int from) {
    int keyBytesAndFlags = window.bytes().memory().get(INT, from + 20L);
    int bodyBytes = window.bytes().memory().get(INT, from + 16L);
    return (keyBytesAndFlags >>> 24) <= RecordHeader.ALL_FLAGS
        && bodyBytes >= 0
        && bodyBytes <= RecordHeader.MAX_RECORD_BYTES
        && window.bytes().memory().get(LONG, from + 8L) >= 0;
  }

  @Override
  public void close() {
    window.close();
  }
}
