package dev.tailwater.delivery.merge;

import java.util.concurrent.atomic.LongAdder;

/** What was merged at one destination since the start. Thread-safe. */
public final class MergeCounters {
  private final LongAdder merged = new LongAdder();
  private final LongAdder superseded = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder storedBytes = new LongAdder();
  private final LongAdder compressedAnewBytes = new LongAdder();

  void merged(MergePlan plan, MergeWriter.Written written) {
    merged.increment();
    rawBytes.add(plan.range().lengthBytes());
    storedBytes.add(written.storedBytes());
    compressedAnewBytes.add(written.compressedAnewBytes());
  }

  void superseded() {
    superseded.increment();
  }

  /** Long segments that were made of short ones. */
  public long mergedSegments() {
    return merged.sum();
  }

  /** Short segments that were removed, since a longer one has their bytes. */
  public long supersededSegments() {
    return superseded.sum();
  }

  /** Bytes of source files in the long segments; each counts as often as it was merged. */
  public long rawBytes() {
    return rawBytes.sum();
  }

  /** Bytes that were sent for merging. */
  public long storedBytes() {
    return storedBytes.sum();
  }

  /** Raw bytes that were read again and compressed once more, since their frames were gone. */
  public long compressedAnewBytes() {
    return compressedAnewBytes.sum();
  }
}
