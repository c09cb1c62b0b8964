package dev.tailwater.delivery.time;

import dev.tailwater.archive.name.GroupBound;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Wall-clock time that is never behind what an archive tells. An agent that has lost its state may
 * run on a machine whose clock is behind the one of the run before; readers take what is later for
 * the last version of a file, so its times go on after those that are there. Thread-safe.
 */
public final class ArchiveClock implements LongSupplier {
  private final Clocks clocks;
  private volatile Floor floor = new Floor(Long.MIN_VALUE / 2, 0);

  /** A time before which it is not any more. */
  private record Floor(long millis, long sinceNanos) {}

  /** Creates a clock that shows the time of the machine until it is raised. */
  public ArchiveClock(Clocks clocks) {
    this.clocks = clocks;
  }

  @Override
  public long getAsLong() {
    Floor now = floor;
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(clocks.nanos() - now.sinceNanos());
    return Math.max(clocks.millis(), now.millis() + elapsedMillis);
  }

  /** Returns by how many days a time is ahead that is ignored; 0 if it is not. */
  public long ignoredDays(long toldMillis) {
    long now = clocks.millis();
    return toldMillis > now + GroupBound.MAX_AHEAD_MILLIS
        ? TimeUnit.MILLISECONDS.toDays(toldMillis - now)
        : 0;
  }

  /**
   * Goes on after a time of which an archive tells, milliseconds since 1970. One that is a year
   * ahead is ignored.
   *
   * @return by how many milliseconds the clock was behind; 0 if it was not
   */
  public synchronized long goOnAfter(long toldMillis) {
    if (ignoredDays(toldMillis) > 0) {
      return 0;
    }
    long behindMillis = toldMillis + 1 - getAsLong();
    if (behindMillis <= 0) {
      return 0;
    }
    floor = new Floor(toldMillis + 1, clocks.nanos());
    return behindMillis;
  }
}
