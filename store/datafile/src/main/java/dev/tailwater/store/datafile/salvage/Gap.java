package dev.tailwater.store.datafile.salvage;

import dev.tailwater.store.datafile.format.RecordHeader;

/**
 * A range of a data file without a whole record.
 *
 * @param batchBytes where the batch begins that it interrupts, or {@code fromBytes}
 * @param before number of the last record in front of it
 * @param after number of the first record behind it; -1: not known
 * @param recordsBefore how many records of the file lie in front of it
 */
record Gap(
    long fromBytes,
    long toBytes,
    String why,
    long batchBytes,
    long before,
    long after,
    long recordsBefore) {

  Gap extendedTo(long bytes) {
    return new Gap(fromBytes, bytes, why, batchBytes, before, after, recordsBefore);
  }

  Gap before(long sequence) {
    return new Gap(fromBytes, toBytes, why, batchBytes, before, sequence, recordsBefore);
  }

  /** Returns the most records that it can have held, by its length and by the missing numbers. */
  long recordsAtMost() {
    long bySize = (toBytes - fromBytes + RecordHeader.LENGTH_BYTES - 1) / RecordHeader.LENGTH_BYTES;
    return after < 0 ? bySize : Math.clamp(after - before - 1, 0, bySize);
  }
}
