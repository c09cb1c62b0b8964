package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a tail must be sealed: as soon as a full segment is unread, else so early that its oldest
 * unread byte is durable at {@code max_age}. Thread-safe.
 */
public final class DuePolicy {
  private final long maxAgeNanos;
  private final long segmentBytes;
  private final AtomicLong leadNanos = new AtomicLong();

  public DuePolicy(long maxAgeNanos, long segmentBytes) {
    this.maxAgeNanos = maxAgeNanos;
    this.segmentBytes = segmentBytes;
  }

  /** Empty when the tail has no work. */
  OptionalLong dueNanos(Tail tail, long nowNanos) {
    if (!tail.hasWork()) {
      return OptionalLong.empty();
    }
    long since = tail.unreadSinceNanos().orElse(nowNanos);
    long due;
    if (tail.isShrunk() || tail.unreadBytes() >= segmentBytes * tail.rawPerStagedByte()) {
      due = since;
    } else {
      due = since + maxAgeNanos - Math.min(leadNanos.get(), maxAgeNanos / 2);
    }
    OptionalLong deferred = tail.deferredUntilNanos();
    return OptionalLong.of(
        deferred.isPresent() && deferred.getAsLong() - due > 0 ? deferred.getAsLong() : due);
  }

  /**
   * A segment took that long from being due to being durable. The next ones start earlier by what
   * is usual, and by the time that a change may go unnoticed.
   */
  public void observeLatency(long nanos, long unnoticedNanos) {
    leadNanos.updateAndGet(
        before -> {
          long sample = Math.max(0, nanos) + unnoticedNanos;
          return sample > before ? before + (sample - before) / 4 : before - (before - sample) / 16;
        });
  }
}
