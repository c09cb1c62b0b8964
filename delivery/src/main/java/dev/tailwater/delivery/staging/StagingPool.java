package dev.tailwater.delivery.staging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;

/**
 * The staging buffers of all destinations. The {@link StagingQuota} of each destination bounds how
 * many it holds, so there are never more than all quotas together allow. Small segments have small
 * buffers, so that a thousand short files do not wait for the few large ones. Thread-safe.
 */
public final class StagingPool {
  /** The size of a small buffer: enough for what a slowly growing file gets in a second. */
  public static final int SMALL_BYTES = 256 * 1024;

  private final int largeBytes;

  @GuardedBy("this")
  private final ArrayDeque<StagingBuffer> small = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<StagingBuffer> large = new ArrayDeque<>();

  public StagingPool(int largeBytes) {
    this.largeBytes = largeBytes;
  }

  /** Returns the size of a large buffer. */
  int largeBytes() {
    return largeBytes;
  }

  /** Returns whether a segment that may need this many bytes gets a large buffer. */
  boolean needsLarge(long wantedBytes) {
    return wantedBytes > SMALL_BYTES || SMALL_BYTES >= largeBytes;
  }

  boolean isLarge(StagingBuffer buffer) {
    return buffer.bytes().length == largeBytes;
  }

  /** Returns a buffer, which the caller holds. */
  synchronized StagingBuffer take(boolean isLarge) {
    ArrayDeque<StagingBuffer> free = isLarge ? large : small;
    StagingBuffer buffer =
        free.isEmpty() ? new StagingBuffer(isLarge ? largeBytes : SMALL_BYTES) : free.pop();
    buffer.hold();
    return buffer;
  }

  /** Adds a holder of the buffer. */
  synchronized void share(StagingBuffer buffer) {
    buffer.hold();
  }

  /** Removes a holder; without any, the buffer is free. */
  synchronized void release(StagingBuffer buffer) {
    if (buffer.letGo()) {
      (isLarge(buffer) ? large : small).push(buffer);
    }
  }
}
