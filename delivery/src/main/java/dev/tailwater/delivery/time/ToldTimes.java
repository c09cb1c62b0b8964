package dev.tailwater.delivery.time;

import dev.tailwater.archive.name.GroupBound;

/**
 * The latest times of which an archive tells, milliseconds since 1970; 0 if it tells of none. One
 * object of a time that no clock shows must not hide what all others tell.
 *
 * @param latestMillis the latest of all
 * @param credibleMillis the latest that an agent can have told
 */
public record ToldTimes(long latestMillis, long credibleMillis) {
  public static final ToldTimes NONE = new ToldTimes(0, 0);

  /** Returns these times and one more. */
  public ToldTimes with(long millis, GroupBound bound) {
    return new ToldTimes(
        Math.max(latestMillis, millis),
        bound.allows(millis) ? Math.max(credibleMillis, millis) : credibleMillis);
  }
}
