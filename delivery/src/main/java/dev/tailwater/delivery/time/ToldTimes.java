package dev.tailwater.delivery.time;

import dev.tailwater.archive.name.GroupBound;
import java.util.concurrent.TimeUnit;

/**
 * The latest times of which an archive tells, milliseconds since 1970; 0 if it tells of none. One
 * object of a time that no clock shows must not hide what all others tell.
 *
 * @param latestMillis the latest of all
 * @param credibleMillis the latest that the clock of an agent can have shown
 * @param arrivalMillis the latest arrival that an agent can have told
 */
public record ToldTimes(long latestMillis, long credibleMillis, long arrivalMillis) {
  /** Arrivals go on so far ahead of the clock when an agent was killed. */
  public static final long ARRIVALS_AHEAD_MILLIS = TimeUnit.SECONDS.toMillis(10);

  public static final ToldTimes NONE = new ToldTimes(0, 0, 0);

  /** Returns these times and that of a clock. */
  public ToldTimes with(long millis, GroupBound bound) {
    return new ToldTimes(
        Math.max(latestMillis, millis),
        bound.allows(millis) ? Math.max(credibleMillis, millis) : credibleMillis,
        arrivalMillis);
  }

  /** Returns these times and that of an arrival, which is later than the clock was, maybe. */
  public ToldTimes withArrival(long millis, GroupBound bound) {
    if (!bound.allows(millis)) {
      return with(millis, bound);
    }
    ToldTimes by = with(millis - ARRIVALS_AHEAD_MILLIS, bound);
    return new ToldTimes(
        Math.max(latestMillis, millis), by.credibleMillis, Math.max(arrivalMillis, millis));
  }

  /**
   * Returns these times where a run may have told arrivals of which nobody knows: they are no
   * further ahead of its clock than after a kill.
   */
  public ToldTimes withUnknownArrivals(long nowMillis) {
    long clockMillis = Math.max(nowMillis, credibleMillis);
    return new ToldTimes(
        latestMillis, credibleMillis, Math.max(arrivalMillis, clockMillis + ARRIVALS_AHEAD_MILLIS));
  }
}
