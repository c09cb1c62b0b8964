package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A scanner of a data file, record by record, which tells a torn tail from damage. The rules are in
 * docs/store-format.md, "Torn tail or damage in data files". They rest on one fact: a mark is
 * written only when everything before the offset that it names is durable.
 */
public final class RecordScanner implements AutoCloseable {
  private static final int HEADER_BYTES = RecordHeader.LENGTH_BYTES;

  /** The fields of a mark that are the same in all marks: length of the body, key and flags. */
  private static final long MARK_FIELDS =
      Mark.VALUE_BYTES | (long) RecordHeader.MARK << (Integer.SIZE + 24);

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final PosixPath file;
  private final FileHeader header;
  private final long sizeBytes;
  private final FileWindow window;
  private final RecordHeader record = new RecordHeader();

  private RecordScanner(PosixPath file, FileHeader header, long sizeBytes, FileWindow window) {
    this.file = file;
    this.header = header;
    this.sizeBytes = sizeBytes;
    this.window = window;
  }

  /** Over an open file with this header; the descriptor stays the caller's. */
  public static RecordScanner over(FileCalls calls, int fd, PosixPath file, FileHeader header)
      throws IOException {
    long sizeBytes = calls.fstat(fd).sizeBytes();
    return new RecordScanner(file, header, sizeBytes, new FileWindow(calls, fd, file, sizeBytes));
  }

  /** Length of the file when it was opened. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * What the scanned part of the file holds.
   *
   * @param endBytes end of the last whole batch, record or mark
   * @param lastSequence number of the last record, also one that was vacuumed
   * @param records number of records without marks
   * @param durableBytes the file was on disk up to here when the last mark was written
   * @param sealed whether the last thing is a seal
   * @param torn why the bytes from {@code endBytes} on are no records; empty when there are none
   */
  public record Extent(
      long endBytes,
      long lastSequence,
      long records,
      long durableBytes,
      boolean sealed,
      Optional<String> torn) {

    /** The same, when it is known that what lies before the scanned part ends with a seal. */
    public Extent withSeal() {
      return new Extent(endBytes, lastSequence, records, durableBytes, true, torn);
    }
  }

  /**
   * Visits every whole record from an offset on, where one must begin. Of a batch, all or none.
   *
   * @param fromBytes everything before it is known to be durable
   * @param lastSequence number of the last record before that offset
   * @throws DamagedStoreException where the file is not as it was written and that cannot be what
   *     was left of writes that nobody was told to be durable
   */
  public Extent scan(long fromBytes, long lastSequence, RecordVisitor visitor) throws IOException {
    long end = fromBytes;
    long sequence = lastSequence;
    long records = 0;
    long durable = fromBytes;
    boolean sealed = false;
    Optional<String> torn = Optional.empty();
    while (end < sizeBytes) {
      Batch batch = batchAt(end, sequence);
      if (batch.torn().isPresent()) {
        torn = batch.torn();
        checkTorn(end, torn.get());
        break;
      }
      for (long at = end; at < batch.endBytes(); at += record.recordBytes()) {
        // A batch of one is what was read last.
        boolean isOnly = at == end && at + record.recordBytes() == batch.endBytes();
        int from = isOnly ? window.load(at, record.recordBytes()) : wholeRecordAt(at);
        if (record.has(RecordHeader.MARK)) {
          Mark mark = markAt(from, at);
          durable = Math.max(durable, mark.durableBytes());
          sealed = mark.sealed();
          // The records with the highest numbers may have been vacuumed.
          sequence = Math.max(sequence, record.sequence());
        } else {
          sequence = record.sequence();
          records++;
          sealed = false;
        }
        visitor.record(record, window.bytes(), from, at);
      }
      end = batch.endBytes();
    }
    return new Extent(end, sequence, records, durable, sealed, torn);
  }

  private record Batch(long endBytes, Optional<String> torn) {
    static Batch torn(String why) {
      return new Batch(0, Optional.of(why));
    }
  }

  private Batch batchAt(long offset, long lastSequence) throws IOException {
    long at = offset;
    long sequence = lastSequence;
    while (true) {
      Optional<String> wrong = whyNoRecord(at, sequence);
      if (wrong.isPresent()) {
        String inBatch = at == offset ? "" : " in a batch that begins at " + offset;
        return Batch.torn(wrong.get() + " at " + at + inBatch);
      }
      at += record.recordBytes();
      if (record.has(RecordHeader.MARK)) {
        return at - record.recordBytes() == offset
            ? new Batch(at, Optional.empty())
            : Batch.torn("a mark within a batch");
      }
      sequence = record.sequence();
      if (!record.has(RecordHeader.MORE)) {
        return new Batch(at, Optional.empty());
      }
    }
  }

  /** Fills in the header of the record there, unless there is none that is whole. */
  private Optional<String> whyNoRecord(long offset, long lastSequence) throws IOException {
    if (sizeBytes - offset < HEADER_BYTES || !readHeader(offset)) {
      return Optional.of("no record");
    }
    if (record.recordBytes() > sizeBytes - offset) {
      return Optional.of("the file ends within a record");
    }
    int from = window.load(offset, record.recordBytes());
    if (!window.bytes().bodyIsWhole(from, record)) {
      return Optional.of("a record's checksum is wrong");
    }
    if (!record.has(RecordHeader.MARK) && record.sequence() <= lastSequence) {
      return Optional.of("a record's number is not above that of the one before");
    }
    return Optional.empty();
  }

  private boolean readHeader(long offset) throws IOException {
    int from = window.load(offset, HEADER_BYTES);
    return window.bytes().readHeader(from, header.salt(), offset, record);
  }

  /** One that has been found whole before. */
  private int wholeRecordAt(long offset) throws IOException {
    if (!readHeader(offset)) {
      throw damaged(offset, "the file changed while it was read");
    }
    return window.load(offset, record.recordBytes());
  }

  private Mark markAt(int from, long offset) throws DamagedStoreException {
    Mark mark = window.bytes().mark(from);
    if (mark.durableBytes() > offset || mark.durableBytes() < FileHeader.LENGTH_BYTES) {
      throw damaged(offset, "a mark that calls offset " + mark.durableBytes() + " durable");
    }
    return mark;
  }

  private void checkTorn(long offset, String why) throws IOException {
    OptionalLong later = markThatCovers(offset);
    if (later.isPresent()) {
      throw damaged(
          offset, why + ", but when offset " + later.getAsLong() + " was written, it was durable");
    }
  }

  /**
   * A mark behind the offset that says that it was durable. Looks at every offset once; marks are
   * bound to theirs, so values cannot imitate one.
   */
  private OptionalLong markThatCovers(long offset) throws IOException {
    long at = offset + 1;
    int markBytes = HEADER_BYTES + Mark.VALUE_BYTES;
    while (sizeBytes - at >= markBytes) {
      int from = window.load(at, markBytes);
      int last = from + window.available(at) - markBytes;
      for (int i = from; i <= last; i++, at++) {
        if (window.bytes().memory().get(LONG, i + 16) == MARK_FIELDS
            && window.bytes().readHeader(i, header.salt(), at, record)
            && window.bytes().bodyIsWhole(i, record)
            && window.bytes().mark(i).durableBytes() > offset) {
          return OptionalLong.of(at);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** At this place of this file. */
  public DamagedStoreException damaged(long offset, String why) {
    return new DamagedStoreException(file, offset, why);
  }

  @Override
  public void close() {
    window.close();
  }
}
