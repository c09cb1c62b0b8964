package dev.tailwater.io.watch.early;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How far one thread is with reading a queue, for another one that waits for it. */
final class ReadingProgress {
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private boolean busy;

  /** How often the queue was read until it was empty. */
  @GuardedBy("this")
  private long emptied;

  ReadingProgress(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Notes that reading begins. */
  synchronized void begin() {
    busy = true;
  }

  /** Notes that the queue is empty and all of it is handled. */
  synchronized void end() {
    busy = false;
    emptied++;
    notifyAll();
  }

  /** Waits until nothing is being read, or the deadline; returns how often it was emptied then. */
  synchronized long awaitIdle(long deadlineNanos) throws InterruptedException {
    long leftNanos = deadlineNanos - nanoClock.getAsLong();
    while (busy && leftNanos > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      leftNanos = deadlineNanos - nanoClock.getAsLong();
    }
    return emptied;
  }

  /** Returns how often the queue was emptied. */
  synchronized long emptied() {
    return emptied;
  }

  /** Waits until the queue was emptied more often than that, or the deadline. */
  synchronized void awaitEmptied(long before, long deadlineNanos) throws InterruptedException {
    long leftNanos = deadlineNanos - nanoClock.getAsLong();
    while (emptied == before && leftNanos > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      leftNanos = deadlineNanos - nanoClock.getAsLong();
    }
  }

  /** Returns whether nothing was read since it was emptied for that time. */
  synchronized boolean isIdleSince(long before) {
    return !busy && emptied == before;
  }
}
