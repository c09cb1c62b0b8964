package dev.tailwater.delivery.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A point in time after which nobody waits any longer. Immutable. */
public final class Deadline {
  /** A year is as good as forever, and cannot overflow. */
  private static final Duration FOREVER = Duration.ofDays(365);

  private final LongSupplier nanoClock;
  private final long endNanos;

  private Deadline(LongSupplier nanoClock, long endNanos) {
    this.nanoClock = nanoClock;
    this.endNanos = endNanos;
  }

  /**
   * Returns the deadline that is this far from now.
   *
   * @param time zero or negative: it has passed
   * @param nanoClock a monotonic clock
   */
  public static Deadline after(Duration time, LongSupplier nanoClock) {
    return new Deadline(nanoClock, nanoClock.getAsLong() + saturatedNanos(time));
  }

  /** Returns the deadline that is this far from now by the system's monotonic clock. */
  public static Deadline after(Duration time) {
    return after(time, System::nanoTime);
  }

  /** Returns the duration in nanoseconds, at most a year, so that it can be added to a clock. */
  public static long saturatedNanos(Duration time) {
    return time.compareTo(FOREVER) < 0 ? time.toNanos() : FOREVER.toNanos();
  }

  /** Returns the earlier of this deadline and the one that is this far from now. */
  public Deadline within(Duration time) {
    return time.compareTo(left()) < 0 ? after(time, nanoClock) : this;
  }

  /** Returns whether no time is left. */
  public boolean isPast() {
    return leftNanos() == 0;
  }

  /** Returns the time until the deadline, zero if it has passed. */
  public Duration left() {
    return Duration.ofNanos(leftNanos());
  }

  private long leftNanos() {
    return Math.max(0, endNanos - nanoClock.getAsLong());
  }

  /**
   * Waits until the monitor is notified or the deadline has passed. Like {@link Object#wait()}, it
   * belongs into a loop that checks the condition and {@link #isPast}.
   *
   * @param monitor which the calling thread holds
   */
  public void timedWait(Object monitor) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedWait(monitor, leftNanos());
  }

  /**
   * Waits until the thread has ended or the deadline has passed.
   *
   * @return whether it has ended
   */
  public boolean join(Thread thread) throws InterruptedException {
    return !thread.isAlive() || thread.join(Duration.ofNanos(Math.max(1, leftNanos())));
  }
}
