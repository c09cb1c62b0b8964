package dev.tailwater.store.datafile.salvage;

import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.Mark;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SalvageScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The survey of a data file: its gaps, and the offset up to which it is known to have been durable.
 */
final class FileSurvey implements SalvageScanner.Visitor {
  private final LongConsumer progress;
  private final List<Gap> gaps = new ArrayList<>();
  private long sequence;
  private long firstSequence = -1;
  private long records;
  private long durableBytes = FileHeader.LENGTH_BYTES;
  private long batchBytes = -1;
  private long batchRecords;
  private boolean sealed;

  /** Behind the record with this number. */
  FileSurvey(long lastSequence, LongConsumer progress) {
    this.sequence = lastSequence;
    this.progress = progress;
  }

  @Override
  public void whole(RecordHeader header, RecordBytes bytes, int from, long offsetBytes) {
    if (header.has(RecordHeader.MARK)) {
      gapEndsBefore(header.sequence() + 1);
      Mark mark = bytes.mark(from);
      if (mark.durableBytes() <= offsetBytes) {
        durableBytes = Math.max(durableBytes, mark.durableBytes());
      }
      sealed = mark.sealed();
      sequence = header.sequence();
      return;
    }
    gapEndsBefore(header.sequence());
    boolean more = header.has(RecordHeader.MORE);
    if (more && batchBytes < 0) {
      batchBytes = offsetBytes;
      batchRecords = records;
    } else if (!more) {
      batchBytes = -1;
    }
    sequence = header.sequence();
    firstSequence = firstSequence < 0 ? sequence : firstSequence;
    records++;
    sealed = false;
    if ((records & 0xFFF) == 0) {
      progress.accept(offsetBytes);
    }
  }

  private void gapEndsBefore(long number) {
    if (!gaps.isEmpty() && gaps.getLast().after() < 0) {
      gaps.add(gaps.removeLast().before(number));
    }
  }

  @Override
  public void broken(RecordHeader header, RecordBytes bytes, int from, long offsetBytes) {
    // What it may have been is looked at when it is known that it matters.
  }

  @Override
  public void gap(long fromBytes, long toBytes, String why) {
    boolean joins = !gaps.isEmpty() && gaps.getLast().toBytes() == fromBytes;
    if (joins) {
      gaps.add(gaps.removeLast().extendedTo(toBytes));
    } else {
      boolean inBatch = batchBytes >= 0;
      gaps.add(
          new Gap(
              fromBytes,
              toBytes,
              why,
              inBatch ? batchBytes : fromBytes,
              sequence,
              -1,
              inBatch ? batchRecords : records));
    }
    batchBytes = -1;
    sealed = false;
    progress.accept(toBytes);
  }

  List<Gap> gaps() {
    return gaps;
  }

  /** Returns the number of the last record, or what the last mark says it was. */
  long lastSequence() {
    return sequence;
  }

  /** Number of the first record; -1 when there is none. */
  long firstSequence() {
    return firstSequence;
  }

  long records() {
    return records;
  }

  long durableBytes() {
    return durableBytes;
  }

  boolean sealed() {
    return sealed;
  }

  /** Returns where the batch begins that the end of the file interrupts; -1 when there is none. */
  long openBatchBytes() {
    return batchBytes;
  }
}
