package dev.tailwater.delivery.seal;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * How many staging buffers one destination may hold: when it holds them all, nothing is read for it
 * any more, and the source files are the queue. A buffer that several destinations hold counts at
 * each, so that one that does not get rid of its own takes nothing from the others. Thread-safe.
 */
public final class StagingQuota {
  private final StagingPool pool;

  @GuardedBy("this")
  private int small;

  @GuardedBy("this")
  private int large;

  @GuardedBy("this")
  private boolean closed;

  public StagingQuota(StagingPool pool, int largeCount, int smallCount) {
    this.pool = pool;
    this.large = largeCount;
    this.small = smallCount;
  }

  /** The size of a large buffer, in bytes. */
  int largeBytes() {
    return pool.largeBytes();
  }

  /**
   * A buffer for a segment that may need so many bytes, at most a large one; waits until one may be
   * had.
   *
   * @throws InterruptedException when the quota is closed meanwhile
   */
  synchronized StagingBuffer acquire(long wantedBytes) throws InterruptedException {
    boolean isLarge = pool.needsLarge(wantedBytes);
    while (!closed && !count(isLarge)) {
      wait();
    }
    if (closed) {
      throw new InterruptedException("staging is closed");
    }
    return pool.take(isLarge);
  }

  /** Holds a buffer that another destination's segment is in; false when there is no room. */
  synchronized boolean tryShare(StagingBuffer buffer) {
    if (closed || !count(pool.isLarge(buffer))) {
      return false;
    }
    pool.share(buffer);
    return true;
  }

  @GuardedBy("this")
  private boolean count(boolean isLarge) {
    if (isLarge ? large == 0 : small == 0) {
      return false;
    }
    if (isLarge) {
      large--;
    } else {
      small--;
    }
    return true;
  }

  synchronized void release(StagingBuffer buffer) {
    if (pool.isLarge(buffer)) {
      large++;
    } else {
      small++;
    }
    pool.release(buffer);
    notifyAll();
  }

  /** Lets nobody wait any longer. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
