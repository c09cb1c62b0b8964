package dev.tailwater.delivery.drain;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * When a drain must be over. A tenth of the time, but at most two seconds, is reserved for the last
 * gasp: for what is under way to arrive, and to record what is left. Thread-safe.
 */
final class DrainDeadline {
  private static final Duration LONGEST_GASP = Duration.ofSeconds(2);

  private final LongSupplier nanoClock;
  private final long startNanos;

  @GuardedBy("this")
  private OptionalLong endNanos = OptionalLong.empty();

  @GuardedBy("this")
  private long gaspNanos;

  /**
   * Creates a deadline.
   *
   * @param time how far it is from now; empty: there is no deadline
   */
  DrainDeadline(LongSupplier nanoClock, Optional<Duration> time) {
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    time.ifPresent(this::bringForward);
  }

  /** Moves the deadline to this far from now, if that is sooner. */
  synchronized void bringForward(Duration time) {
    long now = nanoClock.getAsLong();
    long end = now + Math.max(0, Deadline.saturatedNanos(time));
    if (endNanos.isEmpty() || end - endNanos.getAsLong() < 0) {
      endNanos = OptionalLong.of(end);
      gaspNanos = end - Math.min(LONGEST_GASP.toNanos(), (end - now) / 10);
    }
  }

  synchronized boolean isPresent() {
    return endNanos.isPresent();
  }

  /** Returns whether it is time for the last gasp. */
  boolean isNear() {
    return isNearWithin(Duration.ZERO);
  }

  /** Returns whether it will be then. */
  synchronized boolean isNearWithin(Duration time) {
    return endNanos.isPresent() && nanoClock.getAsLong() + time.toNanos() - gaspNanos >= 0;
  }

  /** Returns the time until the deadline, zero if it has passed; empty when there is none. */
  synchronized Optional<Duration> left() {
    return endNanos.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, endNanos.getAsLong() - nanoClock.getAsLong())));
  }

  Duration elapsed() {
    return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
  }
}
