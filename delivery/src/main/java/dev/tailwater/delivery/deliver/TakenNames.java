package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * How many segments may wait, each with its thread and its staging buffer, until another object
 * under their name is removed, which may be never. What else there is to deliver goes on with the
 * other threads and buffers. Thread-safe.
 */
final class TakenNames {
  /** A destination may hold few large buffers, two where there are several destinations. */
  private static final int MOST_LARGE = 1;

  /** Fewer than the small buffers that a destination may hold. */
  private static final int MOST = 4;

  /** So many of those that may not wait are problems of their own. */
  private static final int MOST_NAMED = 1000;

  private final int most;

  @GuardedBy("this")
  private int waiting;

  @GuardedBy("this")
  private int waitingLarge;

  @GuardedBy("this")
  private int named;

  /**
   * Creates a bound.
   *
   * @param threads how many there are to deliver
   */
  TakenNames(int threads) {
    this.most = Math.min(MOST, threads / 2);
  }

  /** Returns whether one more segment may wait; if so, {@link #end} follows. */
  synchronized boolean tryWait(boolean isLarge) {
    if (waiting == most || (isLarge && waitingLarge == MOST_LARGE)) {
      return false;
    }
    waiting++;
    waitingLarge += isLarge ? 1 : 0;
    return true;
  }

  /** Returns whether one more that may not wait is to be a problem of its own. */
  synchronized boolean isNamed() {
    named = Math.min(named + 1, MOST_NAMED + 1);
    return named <= MOST_NAMED;
  }

  synchronized void end(boolean isLarge) {
    waiting--;
    waitingLarge -= isLarge ? 1 : 0;
  }
}
