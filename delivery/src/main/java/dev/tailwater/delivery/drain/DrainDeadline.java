package dev.tailwater.delivery.drain;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * When a drain must be over. A tenth of the time, but at most two seconds, is kept for the last
 * gasp: for what is under way to arrive, and to write down what is left. Thread-safe.
 */
final class DrainDeadline {
  private static final Duration LONGEST_GASP = Duration.ofSeconds(2);

  private final LongSupplier nanoClock;
  private final long startNanos;
  private OptionalLong endNanos = OptionalLong.empty();
  private long gaspNanos;

  /**
   * @param time from now on; empty: there is no deadline
   */
  DrainDeadline(LongSupplier nanoClock, Optional<Duration> time) {
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    time.ifPresent(this::bringForward);
  }

  /** It must be over sooner, if that is sooner: so long from now on. */
  synchronized void bringForward(Duration time) {
    long now = nanoClock.getAsLong();
    long end = now + Math.max(0, saturatedNanos(time));
    if (endNanos.isEmpty() || end - endNanos.getAsLong() < 0) {
      endNanos = OptionalLong.of(end);
      gaspNanos = end - Math.min(LONGEST_GASP.toNanos(), (end - now) / 10);
    }
  }

  /** A year is as good as for ever, and cannot overflow. */
  private static long saturatedNanos(Duration time) {
    return time.compareTo(Duration.ofDays(365)) < 0
        ? time.toNanos()
        : Duration.ofDays(365).toNanos();
  }

  synchronized boolean isPresent() {
    return endNanos.isPresent();
  }

  /** Whether it is time for the last gasp. */
  synchronized boolean isNear() {
    return endNanos.isPresent() && nanoClock.getAsLong() - gaspNanos >= 0;
  }

  /** The time until the deadline, nothing if it has passed; empty: there is none. */
  synchronized Optional<Duration> left() {
    return endNanos.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, endNanos.getAsLong() - nanoClock.getAsLong())));
  }

  Duration elapsed() {
    return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
  }
}
