package dev.tailwater.delivery.seal;

import java.util.ArrayDeque;

/**
 * The fixed set of buffers that sealed segments wait in: when all are in use, reading stops, and
 * the source files are the queue. Small segments have small buffers, so that a thousand short files
 * do not wait for the few large ones. Thread-safe.
 */
public final class StagingPool {
  /** Holds a short segment: what a slowly growing file gathers in a second. */
  static final int SMALL_BYTES = 256 * 1024;

  private final int largeBytes;
  private final ArrayDeque<byte[]> small = new ArrayDeque<>();
  private final ArrayDeque<byte[]> large = new ArrayDeque<>();
  private int unmadeSmall;
  private int unmadeLarge;
  private boolean closed;

  public StagingPool(int largeBytes, int largeCount, int smallCount) {
    this.largeBytes = largeBytes;
    this.unmadeLarge = largeCount;
    this.unmadeSmall = smallCount;
  }

  /** The size of a large buffer, in bytes. */
  public int largeBytes() {
    return largeBytes;
  }

  /**
   * A buffer for a segment that may need so many bytes, at most a large one; waits until one is
   * free.
   *
   * @throws InterruptedException when the pool is closed meanwhile
   */
  public synchronized byte[] acquire(long wantedBytes) throws InterruptedException {
    boolean fits = wantedBytes <= SMALL_BYTES && SMALL_BYTES < largeBytes;
    while (true) {
      if (closed) {
        throw new InterruptedException("staging is closed");
      }
      if (fits && (!small.isEmpty() || unmadeSmall > 0)) {
        return small.isEmpty() ? make(SMALL_BYTES) : small.pop();
      }
      if (!fits && (!large.isEmpty() || unmadeLarge > 0)) {
        return large.isEmpty() ? make(largeBytes) : large.pop();
      }
      wait();
    }
  }

  private byte[] make(int bytes) {
    if (bytes == largeBytes) {
      unmadeLarge--;
    } else {
      unmadeSmall--;
    }
    return new byte[bytes];
  }

  public synchronized void release(byte[] buffer) {
    (buffer.length == largeBytes ? large : small).push(buffer);
    notifyAll();
  }

  /** Lets nobody wait any longer. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
