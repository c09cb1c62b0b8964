package dev.tailwater.store.datafile.write;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A short delay that lets a group fill before it is written. Writers that were woken together come
 * back one after the other; if the first of them synced alone, the others would wait for that sync
 * and then for their own. So the leader waits until as many writers are there as are likely to
 * come, but not longer than a sync takes, and not at all when waiting has not paid recently.
 */
final class CommitDelay {
  /** Longest delay, so that writers do not notice it. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Number of groups without a delay after one that did not pay. */
  private static final int PAUSE_GROUPS = 16;

  /** A sync has a weight of one eighth in the mean. */
  private static final int MEAN_SHIFT = 3;

  private final LongSupplier nanoTime;

  /** Writers that have appended and wait. */
  private final AtomicInteger present = new AtomicInteger();

  private volatile int expected;

  // Used by the leader.
  private long meanSyncNanos;
  private int pauseGroups;

  CommitDelay(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Counts a writer that waits. */
  void arrived() {
    present.incrementAndGet();
  }

  /**
   * Called after a group.
   *
   * @param done writers of the group, who may come back
   * @param left writers who came too late for it
   */
  void completed(int done, int left) {
    present.set(left);
    expected = done + left;
  }

  /** Notes how long a sync took. */
  void synced(long nanos) {
    meanSyncNanos += (nanos - meanSyncNanos) >> MEAN_SHIFT;
  }

  /** Yields to other threads until the group is full. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint, and the wait is bounded without it
  void await() {
    int wanted = expected;
    if (present.get() >= wanted) {
      return;
    }
    if (pauseGroups > 0) {
      pauseGroups--;
      return;
    }
    long begin = nanoTime.getAsLong();
    long bound = Math.min(meanSyncNanos, MAX_WAIT_NANOS);
    while (present.get() < wanted) {
      if (nanoTime.getAsLong() - begin >= bound) {
        pauseGroups = PAUSE_GROUPS;
        return;
      }
      Thread.yield(); // on a busy machine, the expected writers need this processor
    }
  }
}
