package dev.tailwater.delivery.due;

import dev.tailwater.delivery.tail.Tail;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides when a tail must be sealed: as soon as a full segment is unread, or else early enough
 * that its oldest unread byte is durable at {@code max_age}. Thread-safe.
 */
public final class DuePolicy {
  /** The factor by which the maximum age shrinks when a notice is expected. */
  private static final int YOUNGER_BY = 4;

  /** The maximum age never shrinks below this: segments would become many and tiny. */
  private static final long LEAST_EXPECTANT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int REST_PART = 16;

  private final long usualMaxAgeNanos;
  private volatile long maxAgeNanos;
  private final long segmentBytes;
  private final OptionalLong mostBytes;
  private final boolean rests;
  private final AtomicLong leadNanos = new AtomicLong();

  /** Creates a policy without a bound on the bytes at risk. */
  public DuePolicy(long maxAgeNanos, long segmentBytes) {
    this(maxAgeNanos, segmentBytes, OptionalLong.empty());
  }

  /**
   * Creates a policy.
   *
   * @param mostBytes how many bytes may be at risk; empty: any number
   */
  public DuePolicy(long maxAgeNanos, long segmentBytes, OptionalLong mostBytes) {
    this(maxAgeNanos, segmentBytes, mostBytes, false);
  }

  private DuePolicy(long maxAgeNanos, long segmentBytes, OptionalLong mostBytes, boolean rests) {
    this.usualMaxAgeNanos = maxAgeNanos;
    this.maxAgeNanos = maxAgeNanos;
    this.segmentBytes = segmentBytes;
    this.mostBytes = mostBytes;
    this.rests = rests;
  }

  /**
   * Returns the same policy, but with segments that are begun earlier by a part of the maximum age,
   * so that workers have time to rest while they seal them.
   */
  public DuePolicy withRests(boolean newRests) {
    return new DuePolicy(usualMaxAgeNanos, segmentBytes, mostBytes, newRests);
  }

  long maxAgeNanos() {
    return maxAgeNanos;
  }

  /** Returns how long a worker may rest while it seals a segment. */
  long restNanos() {
    return rests ? maxAgeNanos / REST_PART : 0;
  }

  /** Returns how many bytes may be at risk; empty: any number. */
  OptionalLong mostBytes() {
    return mostBytes;
  }

  /**
   * Notes whether a notice is expected: as long as one is, the maximum age is a quarter of the
   * configured one, but at least a quarter of a second, or the configured one if that is less.
   *
   * @return whether the maximum age has changed
   */
  boolean expectNotice(boolean expected) {
    long before = maxAgeNanos;
    maxAgeNanos =
        expected
            ? Math.min(
                usualMaxAgeNanos, Math.max(usualMaxAgeNanos / YOUNGER_BY, LEAST_EXPECTANT_NANOS))
            : usualMaxAgeNanos;
    return maxAgeNanos != before;
  }

  /** Returns when the tail is due; empty when it has no work. */
  OptionalLong dueNanos(Tail tail, long nowNanos) {
    if (!tail.work().isAny()) {
      return OptionalLong.empty();
    }
    long maxAge = maxAgeNanos;
    long since = tail.work().sinceNanos().orElse(nowNanos);
    long due;
    if (tail.isShrunk() || tail.work().unreadBytes() >= fullBytes(tail)) {
      due = since;
    } else {
      due = since + maxAge - Math.min(leadNanos.get() + restNanos(), maxAge / 2);
    }
    // A tail that had its turn comes after those that have waited meanwhile.
    OptionalLong served = tail.scheduling().servedNanos();
    if (served.isPresent() && served.getAsLong() - due > 0) {
      due = served.getAsLong();
    }
    OptionalLong deferred = tail.scheduling().deferredUntilNanos();
    return OptionalLong.of(
        deferred.isPresent() && deferred.getAsLong() - due > 0 ? deferred.getAsLong() : due);
  }

  /** Returns how many unread bytes fill a segment of this tail. */
  double fullBytes(Tail tail) {
    return Math.min(segmentBytes * tail.scheduling().rawPerStagedByte(), SegmentLimits.READ_BYTES);
  }

  /**
   * Learns how long a segment took from being due to being durable. Later segments are begun
   * earlier by what is usual, and by the time that a change may go unnoticed.
   */
  public void observeLatency(long nanos, long unnoticedNanos) {
    leadNanos.updateAndGet(
        before -> {
          long sample = Math.max(0, nanos) + unnoticedNanos;
          return sample > before ? before + (sample - before) / 4 : before - (before - sample) / 16;
        });
  }
}
