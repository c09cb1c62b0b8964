package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.PackGroup;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Which epochs the packs of a group may name: none above the second in which the group was begun,
 * counted from 2020. So the names of packs that cannot be read tell which epochs nobody has used.
 */
public final class EpochBound {
  private static final long ORIGIN_SECONDS = Instant.parse("2020-01-01T00:00:00Z").getEpochSecond();

  private EpochBound() {}

  /** Returns the highest epoch that the packs of a group may name. */
  static int of(PackGroup group) {
    return ofSeconds(Math.floorDiv(group.begunNanos(), TimeUnit.SECONDS.toNanos(1)));
  }

  /** Returns the highest epoch that packs may name which are begun now. */
  public static int at(long nowMillis) {
    return ofSeconds(Math.floorDiv(nowMillis, TimeUnit.SECONDS.toMillis(1)));
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
