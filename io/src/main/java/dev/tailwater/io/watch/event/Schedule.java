package dev.tailwater.io.watch.event;

import java.util.function.LongSupplier;

/** A schedule of repeated work, which never takes more than a twentieth of the time. */
public final class Schedule {
  private static final int MAX_SHARE = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Longer periods are treated as this one, which can be added to without overflow: 146 years. */
  private static final long LONGEST_MILLIS = Long.MAX_VALUE / 2 / NANOS_PER_MILLI;

  private final LongSupplier nanoClock;
  private final long periodNanos;
  private long nextNanos;

  /**
   * Creates a schedule whose work is due for the first time after a period.
   *
   * @param periodMillis at least 1; {@link Long#MAX_VALUE} is as good as never
   */
  public Schedule(LongSupplier nanoClock, long periodMillis) {
    this.nanoClock = nanoClock;
    this.periodNanos = Math.min(periodMillis, LONGEST_MILLIS) * NANOS_PER_MILLI;
    this.nextNanos = nanoClock.getAsLong() + periodNanos;
  }

  /** Returns whether the work is due. */
  public boolean due() {
    return nextNanos - nanoClock.getAsLong() <= 0;
  }

  /** Returns the time until the work is due, rounded up, so that it is due after that wait. */
  public long millisLeft() {
    long nanos = nextNanos - nanoClock.getAsLong();
    return nanos <= 0 ? 0 : (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
  }

  /** Notes that the work is done, and how long that took. */
  public void ran(long durationNanos) {
    nextNanos = nanoClock.getAsLong() + Math.max(periodNanos, durationNanos * MAX_SHARE);
  }
}
