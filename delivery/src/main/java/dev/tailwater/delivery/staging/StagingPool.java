package dev.tailwater.delivery.staging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The staging buffers of all destinations. The {@link StagingQuota} of each destination bounds how
 * many it holds, so there are never more than all quotas together allow. Small segments have small
 * buffers, so that a thousand short files do not wait for the few large ones. A buffer that is free
 * when the collector looks at it is given up, so that an agent that has little to deliver does not
 * keep what it once needed. One large buffer is kept while another one is in use: a drain, which
 * fills one while the other is delivered, would make a new one for each pack. Thread-safe.
 */
public final class StagingPool {
  /** The size of a small buffer: enough for what a slowly growing file gets in a second. */
  public static final int SMALL_BYTES = 256 * 1024;

  private final int largeBytes;
  private final Object growth = new Object();

  @GuardedBy("this")
  private final ArrayDeque<Reference<StagingBuffer>> small = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<Reference<StagingBuffer>> large = new ArrayDeque<>();

  /** How many large buffers are in use. */
  @GuardedBy("this")
  private int largeInUse;

  /** The free one that was in use last, while others are. */
  @GuardedBy("this")
  private Optional<StagingBuffer> kept = Optional.empty();

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
    return buffer.isLarge();
  }

  /** Returns a buffer, which the caller holds. */
  synchronized StagingBuffer take(boolean isLarge) {
    StagingBuffer buffer = isLarge ? kept.orElse(null) : null;
    ArrayDeque<Reference<StagingBuffer>> free = isLarge ? large : small;
    while (buffer == null && !free.isEmpty()) {
      buffer = free.pop().get();
    }
    if (buffer == null) {
      buffer = new StagingBuffer(isLarge ? largeBytes : SMALL_BYTES, isLarge, growth);
    }
    if (isLarge) {
      largeInUse++;
      kept = Optional.empty();
    }
    buffer.hold();
    return buffer;
  }

  /** Adds a holder of the buffer. */
  synchronized void share(StagingBuffer buffer) {
    buffer.hold();
  }

  /** Removes a holder; without any, the buffer is free. */
  synchronized void release(StagingBuffer buffer) {
    if (!buffer.letGo()) {
      return;
    }
    if (!buffer.isLarge()) {
      small.push(new WeakReference<>(buffer));
      return;
    }
    largeInUse--;
    if (kept.isPresent()) {
      large.push(new WeakReference<>(kept.get()));
    }
    kept = Optional.of(buffer);
    if (largeInUse == 0) {
      large.push(new WeakReference<>(buffer));
      kept = Optional.empty();
    }
  }
}
