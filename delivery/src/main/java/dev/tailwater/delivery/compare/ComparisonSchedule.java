package dev.tailwater.delivery.compare;

import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.tail.Tail;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a tail that waits is due to be compared, by its reason and by what comparing it took last.
 * Not thread-safe: the queue's lock guards it.
 */
final class ComparisonSchedule {
  /**
   * The kernel writes a page back that was changed through a mapping after 30 to 35 seconds. Only
   * the first change after that sets the time of the file again.
   */
  static final long WRITTEN_BACK_MILLIS = TimeUnit.SECONDS.toMillis(40);

  /** How often it looks again at what is not due, or cannot be compared now. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The same for files that grow, of which there may be thousands. */
  private static final long GROWING_LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** An append sets the time before the size, so a look may meet it halfway. */
  private static final long SETTLES_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A file that has grown a little and is quiet is compared after this time at the latest. */
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Longer than the steps in which any file system counts the times of files. */
  private static final long TIME_HAS_PASSED_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private static final long WRITTEN_BACK_NANOS = TimeUnit.MILLISECONDS.toNanos(WRITTEN_BACK_MILLIS);

  /** A file that changes all the time is compared again after this many times what that took. */
  private static final long PAUSE_FACTOR = 20;

  /** Of shorter files nobody remembers what comparing them took: it is a single read. */
  private static final long LONG_BYTES = 16L * BlockSums.BLOCK_BYTES;

  private final LongSupplier nanoClock;

  /** What comparing cost last, of tails that are not ended. */
  private final Map<Tail, Last> last = new HashMap<>();

  private record Last(long endNanos, long tookNanos, long bytes) {}

  ComparisonSchedule(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Returns whether a tail that has waited so long for this reason is to be compared now. */
  boolean isDue(Tail tail, ComparisonLines.Entry entry, long nowNanos) {
    Last before = last(tail, nowNanos);
    boolean rested = isRested(tail, nowNanos);
    return switch (entry.reason()) {
      case WANTED -> true;
      case CHANGED, AGAIN -> nowNanos - entry.sinceNanos() >= SETTLES_NANOS && rested;
      case GROWN ->
          nowNanos - tail.lastGrowthNanos() >= QUIET_NANOS
              && rested
              && (tail.positionBytes() >= 2 * before.bytes
                  || nowNanos - before.endNanos >= LONGEST_NANOS);
      case WRITTEN_UNSEEN -> nowNanos - entry.sinceNanos() >= TIME_HAS_PASSED_NANOS && rested;
      case WRITTEN_BACK -> nowNanos - entry.sinceNanos() >= WRITTEN_BACK_NANOS;
      case TIME_UNTOLD -> false;
    };
  }

  /** Returns how soon to look again at a tail that is not due. */
  static long lookAgainNanos(ComparisonReason reason) {
    return reason == ComparisonReason.GROWN || reason == ComparisonReason.TIME_UNTOLD
        ? GROWING_LOOK_NANOS
        : LOOK_NANOS;
  }

  private Last last(Tail tail, long nowNanos) {
    return last.getOrDefault(tail, new Last(nowNanos - LONGEST_NANOS, 0, 0));
  }

  /** Returns whether the last comparison of a tail is long enough ago, for what it took. */
  boolean isRested(Tail tail, long nowNanos) {
    Last before = last(tail, nowNanos);
    return nowNanos - before.endNanos >= PAUSE_FACTOR * before.tookNanos;
  }

  /** Returns whether it is known what comparing a tail took last. */
  boolean knows(Tail tail) {
    return last.containsKey(tail);
  }

  /**
   * Returns whether the tail took so long to compare that another comparison must wait. A short one
   * only took long since the machine was busy, and would stay in memory for that.
   */
  boolean mustRemember(Tail tail) {
    Last before = last.get(tail);
    return before != null
        && tail.positionBytes() >= LONG_BYTES
        && PAUSE_FACTOR * before.tookNanos >= LOOK_NANOS
        && nanoClock.getAsLong() - before.endNanos < LONGEST_NANOS;
  }

  /** Notes what comparing a tail took. */
  void compared(Tail tail, long tookNanos, long bytes) {
    remember(tail, new Last(nanoClock.getAsLong(), tookNanos, bytes));
  }

  /** Notes what it took to learn the checksums of a tail that were lost: it was not compared. */
  void learnt(Tail tail, long tookNanos) {
    if (PAUSE_FACTOR * tookNanos >= LOOK_NANOS) { // Many short files need no entry each.
      long now = nanoClock.getAsLong();
      remember(tail, new Last(now, tookNanos, last(tail, now).bytes));
    }
  }

  private void remember(Tail tail, Last comparison) {
    if (!tail.isEnded()) {
      last.put(tail, comparison);
    }
  }

  /** Forgets a tail that has ended. */
  void forget(Tail tail) {
    last.remove(tail);
  }
}
