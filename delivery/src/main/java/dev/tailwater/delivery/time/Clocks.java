package dev.tailwater.delivery.time;

import java.util.function.LongSupplier;

/**
 * The two clocks of an agent.
 *
 * @param nanoClock a monotonic clock, as {@link System#nanoTime}
 * @param clockMillis wall-clock time since the epoch
 */
public record Clocks(LongSupplier nanoClock, LongSupplier clockMillis) {
  /** Returns the present time of the monotonic clock. */
  public long nanos() {
    return nanoClock.getAsLong();
  }

  /** Returns the present wall-clock time. */
  public long millis() {
    return clockMillis.getAsLong();
  }
}
