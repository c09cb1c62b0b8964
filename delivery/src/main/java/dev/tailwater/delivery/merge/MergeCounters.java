package dev.tailwater.delivery.merge;

import java.util.concurrent.atomic.LongAdder;

/** Counts what was merged at one destination since the start. Thread-safe. */
public final class MergeCounters {
  private final LongAdder merged = new LongAdder();
  private final LongAdder superseded = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder storedBytes = new LongAdder();
  private final LongAdder compressedAnewBytes = new LongAdder();
  private final LongAdder gathered = new LongAdder();
  private final LongAdder notGathered = new LongAdder();

  void merged(MergePlan plan, MergeWriter.Written written) {
    merged.increment();
    if (plan.isGathered()) {
      gathered.increment();
    }
    rawBytes.add(plan.range().lengthBytes());
    storedBytes.add(written.storedBytes());
    compressedAnewBytes.add(written.compressedAnewBytes());
  }

  /** Notes that bytes cannot be read again, and that what needs them stays as it is. */
  void left(MergePlan plan) {
    if (plan.isGathered()) {
      notGathered.increment();
    }
  }

  void mergedPacks(long raw, long stored) {
    merged.increment();
    rawBytes.add(raw);
    storedBytes.add(stored);
  }

  void superseded() {
    superseded.increment();
  }

  /** Returns how many long segments and packs were made of short ones. */
  public long mergedSegments() {
    return merged.sum();
  }

  /**
   * Returns how many short segments and packs were removed because a longer one has their bytes.
   */
  public long supersededSegments() {
    return superseded.sum();
  }

  /** Returns how many long segments were made of what streams had gathered in packs. */
  public long gatheredSegments() {
    return gathered.sum();
  }

  /** Returns how many of these were not made, since the file is gone or has other bytes. */
  public long notGathered() {
    return notGathered.sum();
  }

  /**
   * Returns the raw bytes in the long segments and packs; each counts as often as it was merged.
   */
  public long rawBytes() {
    return rawBytes.sum();
  }

  /** Returns how many bytes were sent for merging. */
  public long storedBytes() {
    return storedBytes.sum();
  }

  /** Returns how many raw bytes were read and compressed again, since their frames were dropped. */
  public long compressedAnewBytes() {
    return compressedAnewBytes.sum();
  }
}
