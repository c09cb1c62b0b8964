package dev.tailwater.io.watch.early;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** How far one thread is with reading a queue, for another one that waits for it. */
final class ReadingProgress {
  private final FileCalls calls;
  private final LongSupplier nanoClock;
  private final int fd;

  @GuardedBy("this")
  private boolean busy;

  /** How often the queue was read until it was empty. */
  @GuardedBy("this")
  private long emptied;

  /** Whether somebody stopped waiting before the queue was empty, and must be told when it is. */
  @GuardedBy("this")
  private boolean awaited;

  /** As {@link #awaited}, until the queue is empty. */
  @GuardedBy("this")
  private boolean behind;

  /**
   * Creates the progress of a queue.
   *
   * @param fd of the queue
   */
  ReadingProgress(FileCalls calls, LongSupplier nanoClock, int fd) {
    this.calls = calls;
    this.nanoClock = nanoClock;
    this.fd = fd;
  }

  /** Notes that reading begins. */
  synchronized void begin() {
    busy = true;
  }

  /** Notes that the queue is empty and all of it is handled. */
  synchronized void end() {
    busy = false;
    behind = false;
    emptied++;
    notifyAll();
  }

  /** Returns whether a {@link #settle} has ended too early since the last call. */
  synchronized boolean takeAwaited() {
    boolean was = awaited;
    awaited = false;
    return was;
  }

  /**
   * Waits until everything is handled that was in the queue before the call.
   *
   * @param isServing whether anybody reads the queue
   * @return whether everything is handled
   */
  boolean settle(long timeoutMillis, BooleanSupplier isServing) throws ErrnoException {
    long deadlineNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (true) {
        long before = awaitIdle(deadlineNanos);
        boolean unread = isUnread();
        if (!unread && isIdleSince(before)) {
          return settled();
        }
        boolean isLate = nanoClock.getAsLong() - deadlineNanos >= 0;
        if ((isLate || !isServing.getAsBoolean()) && giveUp(before)) {
          return false;
        }
        if (unread) {
          awaitEmptied(before, deadlineNanos);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(emptied());
      return false;
    }
  }

  private synchronized boolean settled() {
    behind = false;
    return true;
  }

  /** Stops waiting, unless the queue was emptied meanwhile: then nobody tells of it again. */
  private synchronized boolean giveUp(long before) {
    behind = emptied == before;
    awaited = behind;
    return behind;
  }

  /** Returns whether {@link #settle} has ended too early, and the queue was not emptied since. */
  synchronized boolean wasBehind() {
    return behind;
  }

  /** Returns whether there may be something in the queue that is not handled yet. */
  boolean isBehind() {
    try {
      long before = emptied();
      return isUnread() || !isIdleSince(before);
    } catch (ErrnoException e) {
      return true;
    }
  }

  private boolean isUnread() throws ErrnoException {
    return (calls.pollReadable(new int[] {fd}, 0) & 1) != 0;
  }

  /** Waits until nothing is being read, or the deadline; returns how often it was emptied then. */
  private synchronized long awaitIdle(long deadlineNanos) throws InterruptedException {
    long leftNanos = deadlineNanos - nanoClock.getAsLong();
    while (busy && leftNanos > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      leftNanos = deadlineNanos - nanoClock.getAsLong();
    }
    return emptied;
  }

  private synchronized long emptied() {
    return emptied;
  }

  /** Waits until the queue was emptied more often than that, or the deadline. */
  private synchronized void awaitEmptied(long before, long deadlineNanos)
      throws InterruptedException {
    long leftNanos = deadlineNanos - nanoClock.getAsLong();
    while (emptied == before && leftNanos > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      leftNanos = deadlineNanos - nanoClock.getAsLong();
    }
  }

  /** Returns whether nothing was read since it was emptied for that time. */
  private synchronized boolean isIdleSince(long before) {
    return !busy && emptied == before;
  }
}
