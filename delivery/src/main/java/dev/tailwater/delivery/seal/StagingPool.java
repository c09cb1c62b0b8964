package dev.tailwater.delivery.seal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;

/**
 * The buffers of all destinations. How many there may be is not decided here: each is held by a
 * destination whose {@link StagingQuota} counts it, so there are never more than all quotas
 * together. Small segments have small buffers, so that a thousand short files do not wait for the
 * few large ones. Thread-safe.
 */
public final class StagingPool {
  /** Holds a short segment: what a slowly growing file gathers in a second. */
  public static final int SMALL_BYTES = 256 * 1024;

  private final int largeBytes;

  @GuardedBy("this")
  private final ArrayDeque<StagingBuffer> small = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<StagingBuffer> large = new ArrayDeque<>();

  public StagingPool(int largeBytes) {
    this.largeBytes = largeBytes;
  }

  /** The size of a large buffer, in bytes. */
  int largeBytes() {
    return largeBytes;
  }

  /** Whether a segment that may need so many bytes gets a large buffer. */
  boolean needsLarge(long wantedBytes) {
    return wantedBytes > SMALL_BYTES || SMALL_BYTES >= largeBytes;
  }

  boolean isLarge(StagingBuffer buffer) {
    return buffer.bytes().length == largeBytes;
  }

  /** A buffer that the caller holds. */
  synchronized StagingBuffer take(boolean isLarge) {
    ArrayDeque<StagingBuffer> free = isLarge ? large : small;
    StagingBuffer buffer =
        free.isEmpty() ? new StagingBuffer(isLarge ? largeBytes : SMALL_BYTES) : free.pop();
    buffer.hold();
    return buffer;
  }

  /** One more holds the buffer. */
  synchronized void share(StagingBuffer buffer) {
    buffer.hold();
  }

  /** One less holds it. */
  synchronized void release(StagingBuffer buffer) {
    if (buffer.letGo()) {
      (isLarge(buffer) ? large : small).push(buffer);
    }
  }
}
