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
public final class Haste {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Pilot pilot;
  private final SealWorkers workers;
  private final Deliverer deliverer;
  private final DeliveryCounters counters;
  private final int usualDeliveries;
  private final LongSupplier nanoClock;
  private final Neighbour neighbour;
  private Optional<ParallelClimb> climb = Optional.empty();
  private int hurries;
  private long steeredNanos;

  /**
   * @param usualDeliveries at once, in steady state
   * @param neighbour what is suspended in a hurry
   */
  public Haste(
      Pilot pilot,
      SealWorkers workers,
      Deliverer deliverer,
      DeliveryCounters counters,
      int usualDeliveries,
      LongSupplier nanoClock,
      Neighbour neighbour) {
    this.pilot = pilot;
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
      pilot.engage(true);
      steeredNanos = nanoClock.getAsLong();
      climb =
          Optional.of(
              new ParallelClimb(
                  usualDeliveries, steeredNanos, counters.storedBytes(), counters.segments()));
    } else if (hurries == 0) {
      pilot.engage(false);
      climb = Optional.empty();
      deliverer.allow(usualDeliveries);
    }
  }

  /** Looks at what was measured, and chooses anew; to be called often. */
  synchronized void steer() {
    long now = nanoClock.getAsLong();
    if (climb.isEmpty() || now - steeredNanos < INTERVAL_NANOS) {
      return;
    }
    steeredNanos = now;
    pilot.steer();
    deliverer.allow(
        climb.get().steer(now, counters.storedBytes(), counters.segments(), deliverer.isBusy()));
  }
}
