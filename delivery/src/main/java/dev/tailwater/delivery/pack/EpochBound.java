package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Which epochs the packs of a group may name: none above the second in which the group was begun,
 * counted from 2020. So the names of packs that cannot be read tell which epochs nobody has used.
 */
public final class EpochBound {
  private static final long ORIGIN_SECONDS = Instant.parse("2020-01-01T00:00:00Z").getEpochSecond();

  /** There was no agent earlier: a clock that says so was not set yet. */
  private static final long FIRST_AGENT_MILLIS =
      Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  /**
   * How far epochs may be ahead of the time. A group that names the next ones is no further ahead
   * than groups may be.
   */
  private static final long MAX_AHEAD_MILLIS = GroupBound.MAX_AHEAD_MILLIS / 2;

  private EpochBound() {}

  /** Returns the highest epoch that the packs of a group may name. */
  static int of(PackGroup group) {
    return ofSeconds(Math.floorDiv(group.begunNanos(), TimeUnit.SECONDS.toNanos(1)));
  }

  /** Returns the highest epoch that packs may name which are begun now. */
  public static int at(long nowMillis) {
    return ofSeconds(Math.floorDiv(nowMillis, TimeUnit.SECONDS.toMillis(1)));
  }

  /**
   * Returns the highest epoch that a stream of the agent's own may have by now: epochs count
   * truncations, or begin behind the bound of a group. They are ahead of the time where a file was
   * truncated more than once a second since, or where the agent began anew twice in a second. A
   * further one follows it.
   */
  public static int ofOwnStreams(long nowMillis) {
    return ofNewStreams(Math.max(nowMillis, FIRST_AGENT_MILLIS) + MAX_AHEAD_MILLIS);
  }

  /**
   * Returns an epoch for a stream of a file that earlier runs have forgotten, which none of its
   * streams had a month ago. A further one follows it.
   */
  public static int ofNewStreams(long nowMillis) {
    return Math.min(at(Math.max(nowMillis, FIRST_AGENT_MILLIS)), Integer.MAX_VALUE - 1);
  }

  private static int ofSeconds(long seconds) {
    return Math.clamp(seconds - ORIGIN_SECONDS, 0, Integer.MAX_VALUE);
  }

  /**
   * Returns when a group must be begun whose packs may name an epoch, nanoseconds since 1970; 0 is
   * in every group.
   */
  static long leastNanos(int epoch) {
    return epoch == 0 ? Long.MIN_VALUE : TimeUnit.SECONDS.toNanos(ORIGIN_SECONDS + epoch);
  }
}
