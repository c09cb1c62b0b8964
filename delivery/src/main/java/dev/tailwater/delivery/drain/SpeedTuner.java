package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.seal.SealWorkers;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What makes one destination's stages faster than the user asked for: more workers, another codec,
 * more deliveries at once, and no regard for the programs beside. Only where there is a deadline:
 * whoever waits for as long as it takes gets what the configuration says. Thread-safe.
 */
public final class SpeedTuner {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final CodecSelector selector;
  private final SealWorkers workers;
  private final Deliverer deliverer;
  private final DeliveryCounters counters;
  private final int usualDeliveries;
  private final LongSupplier nanoClock;
  private final Neighbour neighbour;
  private Optional<ConcurrencyTuner> tuner = Optional.empty();
  private int hurries;
  private long steeredNanos;

  /**
   * @param usualDeliveries at once, in steady state
   * @param neighbour what is suspended in a hurry
   */
  public SpeedTuner(
      CodecSelector selector,
      SealWorkers workers,
      Deliverer deliverer,
      DeliveryCounters counters,
      int usualDeliveries,
      LongSupplier nanoClock,
      Neighbour neighbour) {
    this.selector = selector;
    this.workers = workers;
    this.deliverer = deliverer;
    this.counters = counters;
    this.usualDeliveries = usualDeliveries;
    this.nanoClock = nanoClock;
    this.neighbour = neighbour;
  }

  /** Faster from now on; or, when all who asked for that are done, as usual. */
  synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    neighbour.suspend(hurry);
    workers.hurry(hurry);
    deliverer.hurry(hurry);
    if (hurry && hurries == 1) {
      selector.engage(true);
      steeredNanos = nanoClock.getAsLong();
      tuner =
          Optional.of(
              new ConcurrencyTuner(
                  usualDeliveries, steeredNanos, counters.storedBytes(), counters.segments()));
    } else if (hurries == 0) {
      selector.engage(false);
      tuner = Optional.empty();
      deliverer.allow(usualDeliveries);
    }
  }

  /** Looks at what was measured, and chooses anew; to be called often. */
  synchronized void steer() {
    long now = nanoClock.getAsLong();
    if (tuner.isEmpty() || now - steeredNanos < INTERVAL_NANOS) {
      return;
    }
    steeredNanos = now;
    selector.steer();
    deliverer.allow(
        tuner.get().tune(now, counters.storedBytes(), counters.segments(), deliverer.isBusy()));
  }
}
