package dev.tailwater.delivery;

import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.DeliveryListener;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.due.DuePolicy;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counts deliveries, tells the due policy how long they took, the merger what it may merge, and the
 * queue what waits again.
 */
final class DeliveryAccounting implements DeliveryListener {
  private final DeliveryCounters counters;
  private final DuePolicy policy;
  private final LongSupplier nanoClock;
  private final long unnoticedNanos;
  private final Merger merger;
  private final Consumer<StreamProgress> waiting;

  /**
   * Creates a listener.
   *
   * @param unnoticedNanos how long a change in a file may go unnoticed
   * @param waiting takes streams of which bytes are to be read once more
   */
  DeliveryAccounting(
      DeliveryCounters counters,
      DuePolicy policy,
      LongSupplier nanoClock,
      long unnoticedNanos,
      Merger merger,
      Consumer<StreamProgress> waiting) {
    this.counters = counters;
    this.policy = policy;
    this.nanoClock = nanoClock;
    this.unnoticedNanos = unnoticedNanos;
    this.merger = merger;
    this.waiting = waiting;
  }

  @Override
  public void delivered(Delivery delivery, boolean own) {
    counters.delivered(delivery);
    policy.observeLatency(nanoClock.getAsLong() - delivery.dueNanos(), unnoticedNanos);
    if (own) {
      merger.delivered(delivery);
    } else {
      delivery.frames().ifPresent(HeldFrames::release);
    }
  }

  @Override
  public void undelivered(Delivery delivery) {
    counters.undelivered();
  }

  @Override
  public void delivered(PackedDelivery delivery) {
    counters.delivered(delivery);
    policy.observeLatency(nanoClock.getAsLong() - delivery.dueNanos(), unnoticedNanos);
    merger.delivered(delivery);
  }

  @Override
  public void undelivered(PackedDelivery delivery) {
    counters.undelivered();
  }

  @Override
  public void waiting(StreamProgress stream) {
    waiting.accept(stream);
  }

  @Override
  public void completed(StreamProgress stream) {
    merger.ended(stream); // Its checkpoint is gone already, so only the merger remembers it.
  }
}
