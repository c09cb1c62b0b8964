package dev.tailwater.io.watch.event;

import java.util.function.LongSupplier;

/** A schedule of repeated work, which never takes more than a twentieth of the time. */
public final class Schedule {
  private static final int MAX_SHARE = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier nanoClock;
  private final long periodNanos;
  private long nextNanos;

  public Schedule(LongSupplier nanoClock, long periodMillis) {
    this.nanoClock = nanoClock;
    this.periodNanos = periodMillis * NANOS_PER_MILLI;
    this.nextNanos = nanoClock.getAsLong() + periodNanos;
  }

  public boolean due() {
    return nextNanos - nanoClock.getAsLong() <= 0;
  }

  /** Returns the time until the work is due, rounded up, so that it is due after that wait. */
  public long millisLeft() {
    long nanos = nextNanos - nanoClock.getAsLong();
    return nanos <= 0 ? 0 : (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
  }

  public void ran(long durationNanos) {
    nextNanos = nanoClock.getAsLong() + Math.max(periodNanos, durationNanos * MAX_SHARE);
  }
}
