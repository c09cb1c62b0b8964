package dev.tailwater.delivery.staging;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The bound on the staging buffers that one destination holds. When it holds them all, nothing more
 * is read for it, and the source files are the queue. A buffer that several destinations hold
 * counts for each, so that a slow destination takes nothing from the others. Thread-safe.
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

  /** Returns the size of a large buffer. */
  public int largeBytes() {
    return pool.largeBytes();
  }

  /**
   * Waits for a buffer for a segment that may need this many bytes, at most a large one.
   *
   * @throws InterruptedException when the quota is closed meanwhile
   */
  public synchronized StagingBuffer acquire(long wantedBytes) throws InterruptedException {
    boolean isLarge = pool.needsLarge(wantedBytes);
    while (!closed && !count(isLarge)) {
      wait();
    }
    if (closed) {
      throw new InterruptedException("staging is closed");
    }
    return pool.take(isLarge);
  }

  /** Holds a buffer with another destination's segment; false when there is no room. */
  public synchronized boolean tryShare(StagingBuffer buffer) {
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

  /**
   * Gives a buffer back.
   *
   * @throws IllegalStateException when nobody holds it; then nothing changes
   */
  public synchronized void release(StagingBuffer buffer) {
    pool.release(buffer);
    if (pool.isLarge(buffer)) {
      large++;
    } else {
      small++;
    }
    notifyAll();
  }

  /** Ends all waiting; no buffer is given out any more. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
