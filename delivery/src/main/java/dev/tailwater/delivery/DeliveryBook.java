package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.DeliveryListener;
import dev.tailwater.delivery.seal.DuePolicy;
import java.util.function.LongSupplier;

/** Counts deliveries, and lets the due policy learn how long they take. */
final class DeliveryBook implements DeliveryListener {
  private final DeliveryCounters counters;
  private final DuePolicy policy;
  private final LongSupplier nanoClock;
  private final long unnoticedNanos;

  DeliveryBook(
      DeliveryCounters counters, DuePolicy policy, LongSupplier nanoClock, long unnoticedNanos) {
    this.counters = counters;
    this.policy = policy;
    this.nanoClock = nanoClock;
    this.unnoticedNanos = unnoticedNanos;
  }

  @Override
  public void delivered(Delivery delivery) {
    counters.delivered(delivery);
    policy.observeLatency(nanoClock.getAsLong() - delivery.dueNanos(), unnoticedNanos);
  }

  @Override
  public void undelivered(Delivery delivery) {
    counters.undelivered();
  }

  @Override
  public void completed(StreamProgress stream) {
    // The stream's checkpoint is gone already, and nothing else remembers it.
  }
}
