package dev.tailwater.io.watch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much of a scan is done before its changes are returned and new events are read: a number of
 * names; or a sixteenth of that, where each takes long, as on a file server.
 */
final class Portion {
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int UNDECIDED_PORTIONS = 4;
  private static final int SLOW_FRACTION = 16;

  private final LongSupplier nanoClock;
  private final int maxNames;
  private long beganNanos;
  private int names;

  Portion(LongSupplier nanoClock, int maxNames) {
    this.nanoClock = nanoClock;
    this.maxNames = maxNames;
  }

  /** Returns how many names make a portion at most. */
  int maxNames() {
    return maxNames;
  }

  /**
   * Returns how many files that were found gone may be undecided at once, since they may have
   * another name; the others are reported as gone.
   */
  int maxUndecided() {
    return UNDECIDED_PORTIONS * maxNames;
  }

  void begin() {
    names = 0;
    beganNanos = nanoClock.getAsLong();
  }

  /** Counts names that were listed or looked at. */
  void count(int more) {
    names += more;
  }

  boolean isOver() {
    return names >= maxNames
        || (names >= maxNames / SLOW_FRACTION && nanoClock.getAsLong() - beganNanos >= MAX_NANOS);
  }
}
