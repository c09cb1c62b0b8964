package dev.tailwater.delivery.drain;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.tempo.Tempo;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tunes the codec and the number of concurrent deliveries of one destination while the agent works
 * at full speed. That is only when a drain has a deadline: a drain that may take as long as it
 * takes keeps to the configuration. Thread-safe.
 */
public final class SpeedTuner {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final CodecSelector selector;
  private final Deliverer deliverer;
  private final DeliveryCounters counters;
  private final int usualDeliveries;
  private final LongSupplier nanoClock;
  private final Tempo tempo;

  /** Present at full speed. */
  @GuardedBy("this")
  private Optional<ConcurrencyTuner> concurrency = Optional.empty();

  @GuardedBy("this")
  private long tunedNanos;

  /**
   * Creates a tuner that follows the tempo.
   *
   * @param usualDeliveries how many deliveries run at once in steady state
   */
  public SpeedTuner(
      CodecSelector selector,
      Deliverer deliverer,
      DeliveryCounters counters,
      int usualDeliveries,
      LongSupplier nanoClock,
      Tempo tempo) {
    this.selector = selector;
    this.deliverer = deliverer;
    this.counters = counters;
    this.usualDeliveries = usualDeliveries;
    this.nanoClock = nanoClock;
    this.tempo = tempo;
    tempo.onChange(Tempo.Mode.FULL_SPEED, this::tempoChanged);
  }

  private synchronized void tempoChanged() {
    boolean fullSpeed = tempo.is(Tempo.Mode.FULL_SPEED);
    if (fullSpeed && concurrency.isEmpty()) {
      selector.select(true);
      tunedNanos = nanoClock.getAsLong();
      concurrency =
          Optional.of(
              new ConcurrencyTuner(
                  usualDeliveries, tunedNanos, counters.storedBytes(), counters.segments()));
    } else if (!fullSpeed && concurrency.isPresent()) {
      selector.select(false);
      concurrency = Optional.empty();
      deliverer.allow(usualDeliveries);
    }
  }

  /** Adapts both to what was measured since the last time; to be called often. */
  synchronized void tune() {
    long now = nanoClock.getAsLong();
    if (concurrency.isEmpty() || now - tunedNanos < INTERVAL_NANOS) {
      return;
    }
    tunedNanos = now;
    selector.tune();
    deliverer.allow(
        concurrency
            .get()
            .tune(now, counters.storedBytes(), counters.segments(), deliverer.isBusy()));
  }
}
