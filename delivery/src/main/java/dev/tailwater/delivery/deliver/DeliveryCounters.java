package dev.tailwater.delivery.deliver;

import java.util.concurrent.atomic.LongAdder;

/** What was sealed and delivered for one destination since the start. Thread-safe. */
public final class DeliveryCounters {
  private final LongAdder sealed = new LongAdder();
  private final LongAdder segments = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder storedBytes = new LongAdder();
  private final LongAdder undelivered = new LongAdder();

  public void sealed() {
    sealed.increment();
  }

  public void delivered(Delivery delivery) {
    segments.increment();
    rawBytes.add(delivery.segment().range().lengthBytes());
    storedBytes.add(delivery.segment().lengthBytes());
  }

  public void undelivered() {
    undelivered.increment();
  }

  /** Segments that this destination's own workers sealed; the others were shared. */
  public long sealedSegments() {
    return sealed.sum();
  }

  public long segments() {
    return segments.sum();
  }

  /** Bytes of source files. */
  public long rawBytes() {
    return rawBytes.sum();
  }

  /** Bytes at the destination. */
  public long storedBytes() {
    return storedBytes.sum();
  }

  /** Segments that were given up. */
  public long undeliveredSegments() {
    return undelivered.sum();
  }
}
