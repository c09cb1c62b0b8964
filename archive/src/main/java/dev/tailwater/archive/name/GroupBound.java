package dev.tailwater.archive.name;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which groups an agent may have begun itself: none whose time is further ahead of its clock than
 * any clock was. Names of packs, trees and receipts need no signature, and later groups are begun
 * behind the last one: a name at the end of time would leave nothing behind it. Thread-safe.
 */
public final class GroupBound {
  /** No clock was ahead by more: such a time is somebody's attempt to use up all times. */
  public static final long MAX_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(366);

  private final LongSupplier clockMillis;

  /**
   * Creates the bound.
   *
   * @param clockMillis the wall clock of the machine, which no archive has moved
   */
  public GroupBound(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /** Returns what allows every group. */
  public static GroupBound none() {
    return new GroupBound(() -> Long.MAX_VALUE);
  }

  /** Returns whether a group, or the run of a receipt, may be the agent's own. */
  public boolean allows(PackGroup group) {
    return allows(TimeUnit.NANOSECONDS.toMillis(group.begunNanos()));
  }

  /** Returns whether a time, milliseconds since 1970, may be one of the agent's own. */
  public boolean allows(long millis) {
    return millis - MAX_AHEAD_MILLIS <= clockMillis.getAsLong();
  }
}
