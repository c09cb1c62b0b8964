package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.DeliveryListener;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.due.DuePolicy;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.pack.PackedDelivery;
import java.util.function.LongSupplier;

/** Counts deliveries, tells the due policy how long they took, and the merger what it may merge. */
final class DeliveryAccounting implements DeliveryListener {
  private final DeliveryCounters counters;
  private final DuePolicy policy;
  private final LongSupplier nanoClock;
  private final long unnoticedNanos;
  private final Merger merger;

  /**
   * Creates a listener.
   *
   * @param unnoticedNanos how long a change in a file may go unnoticed
   */
  DeliveryAccounting(
      DeliveryCounters counters,
      DuePolicy policy,
      LongSupplier nanoClock,
      long unnoticedNanos,
      Merger merger) {
    this.counters = counters;
    this.policy = policy;
    this.nanoClock = nanoClock;
    this.unnoticedNanos = unnoticedNanos;
    this.merger = merger;
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
  public void completed(StreamProgress stream) {
    merger.ended(stream); // Its checkpoint is gone already, so only the merger remembers it.
  }
}
