package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.pack.PackedDelivery;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was sealed and delivered for one destination since the start. Thread-safe. */
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

  /** Counts a pack; it counts as one segment. */
  public void delivered(PackedDelivery delivery) {
    segments.increment();
    rawBytes.add(delivery.rawBytes());
    storedBytes.add(delivery.pack().lengthBytes());
  }

  public void undelivered() {
    undelivered.increment();
  }

  /** Returns how many segments this destination's own workers sealed; the others were shared. */
  public long sealedSegments() {
    return sealed.sum();
  }

  public long segments() {
    return segments.sum();
  }

  /** Returns how many bytes of source files were delivered. */
  public long rawBytes() {
    return rawBytes.sum();
  }

  /** Returns how many bytes that took at the destination. */
  public long storedBytes() {
    return storedBytes.sum();
  }

  /** Returns how many segments were given up. */
  public long undeliveredSegments() {
    return undelivered.sum();
  }
}
