package dev.tailwater.delivery.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Numbers what happens at paths: arrivals of files, and looks at directories. Its time is that of
 * the {@link ArchiveClock}, or the latest arrival of which an archive tells, until the clock has
 * caught up with that. It stands still meanwhile, and is never ahead of more than it was told:
 * otherwise losses of state and kills would add up, since numbers go on some seconds ahead after
 * each kill, and are told. Thread-safe.
 */
public final class ArrivalClock implements LongSupplier {
  private final ArchiveClock clock;
  private volatile long floorMillis = Long.MIN_VALUE;

  /** The highest number, nanoseconds since 1970. */
  @GuardedBy("this")
  private long lastNanos = Long.MIN_VALUE;

  /** Creates a clock that shows the time of the other one until it is raised. */
  public ArrivalClock(ArchiveClock clock) {
    this.clock = clock;
  }

  @Override
  public long getAsLong() {
    return Math.max(clock.getAsLong(), floorMillis);
  }

  /** Returns the number of an arrival now: higher than all before. */
  public synchronized long nextNanos() {
    lastNanos = Math.max(lastNanos + 1, TimeUnit.MILLISECONDS.toNanos(getAsLong()));
    return lastNanos;
  }

  /**
   * Returns the time of a look at directories that begins now: later than all arrivals before, and
   * earlier than all that follow.
   */
  public synchronized long lookMillis() {
    long afterLastMillis = TimeUnit.NANOSECONDS.toMillis(lastNanos) + 1;
    long millis = Math.max(getAsLong(), afterLastMillis);
    lastNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    return millis;
  }

  /** Returns the highest number so far. */
  public synchronized long lastNanos() {
    return lastNanos;
  }

  /** Has all numbers that follow be higher than this one. */
  public synchronized void goOnBehind(long nanos) {
    lastNanos = Math.max(lastNanos, nanos);
  }

  /** Returns the time without what an archive tells of arrivals. */
  public long clockMillis() {
    return clock.getAsLong();
  }

  /**
   * Goes on after an arrival of which an archive tells, as {@link ArchiveClock#goOnAfter} does.
   *
   * @return by how many milliseconds this was behind; 0 if it was not
   */
  public synchronized long goOnAfter(long toldMillis) {
    long behindMillis = toldMillis + 1 - getAsLong();
    if (behindMillis <= 0 || clock.ignoredDays(toldMillis) > 0) {
      return 0;
    }
    floorMillis = toldMillis + 1;
    return behindMillis;
  }
}
