package dev.tailwater.store.datafile.write;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Lets a group become full before it is written. Writers that were woken together come back one
 * after the other; were the first of them to sync alone, the others would wait for that sync and
 * then for their own. So whoever leads waits until as many are there as are likely to come, but not
 * longer than a sync takes, and not at all when that has not paid lately.
 */
final class CommitDelay {
  /** Waiting longer would be felt by those who wait. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After a wait in vain, so many groups do not wait. */
  private static final int PAUSE_GROUPS = 16;

  /** A sync counts an eighth of the mean. */
  private static final int MEAN_SHIFT = 3;

  private final LongSupplier nanoTime;

  /** Those that have appended and wait. */
  private final AtomicInteger present = new AtomicInteger();

  private volatile int expected;

  // Of whoever leads.
  private long meanSyncNanos;
  private int pauseGroups;

  CommitDelay(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** One more waits. */
  void arrived() {
    present.incrementAndGet();
  }

  /**
   * A group is done.
   *
   * @param done who will come back if they go on as before
   * @param left who came too late for it
   */
  void completed(int done, int left) {
    present.set(left);
    expected = done + left;
  }

  /** It took so long. */
  void synced(long nanos) {
    meanSyncNanos += (nanos - meanSyncNanos) >> MEAN_SHIFT;
  }

  /** Gives way to others until the group is full. */
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
      Thread.yield(); // on a busy machine, those who are to come need this processor
    }
  }
}
