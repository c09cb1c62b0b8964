package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a tail must be sealed: as soon as a full segment is unread, else so early that its oldest
 * unread byte is durable at {@code max_age}. Thread-safe.
 */
public final class DuePolicy {
  /** By so much bytes are younger when a notice is expected. */
  private static final int YOUNGER_BY = 4;

  /** But they may always be so old: below that, segments become many and tiny. */
  private static final long LEAST_EXPECTANT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int REST_PART = 16;

  private final long usualMaxAgeNanos;
  private volatile long maxAgeNanos;
  private final long segmentBytes;
  private final OptionalLong mostBytes;
  private final boolean rests;
  private final AtomicLong leadNanos = new AtomicLong();

  /** Without a bound on the bytes at risk. */
  public DuePolicy(long maxAgeNanos, long segmentBytes) {
    this(maxAgeNanos, segmentBytes, OptionalLong.empty());
  }

  /**
   * @param mostBytes that may be at risk
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
   * The same, with segments begun earlier by a part of the age, so that there is time to rest while
   * they are made.
   */
  public DuePolicy withRests(boolean newRests) {
    return new DuePolicy(usualMaxAgeNanos, segmentBytes, mostBytes, newRests);
  }

  long maxAgeNanos() {
    return maxAgeNanos;
  }

  /** For how long a worker may rest over a segment. */
  long restNanos() {
    return rests ? maxAgeNanos / REST_PART : 0;
  }

  /** How many bytes may be at risk; empty: any number. */
  OptionalLong mostBytes() {
    return mostBytes;
  }

  /**
   * The machine may go away soon: until that is over, bytes may become a quarter as old, but always
   * a quarter of a second, unless they may not even usually.
   *
   * @return whether that changes anything
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

  /** Empty when the tail has no work. */
  OptionalLong dueNanos(Tail tail, long nowNanos) {
    if (!tail.hasWork()) {
      return OptionalLong.empty();
    }
    long maxAge = maxAgeNanos;
    long since = tail.unreadSinceNanos().orElse(nowNanos);
    long due;
    if (tail.isShrunk() || tail.unreadBytes() >= fullBytes(tail)) {
      due = since;
    } else {
      due = since + maxAge - Math.min(leadNanos.get() + restNanos(), maxAge / 2);
    }
    // What is left of a file that had its turn comes after those that have waited meanwhile.
    OptionalLong served = tail.servedNanos();
    if (served.isPresent() && served.getAsLong() - due > 0) {
      due = served.getAsLong();
    }
    OptionalLong deferred = tail.deferredUntilNanos();
    return OptionalLong.of(
        deferred.isPresent() && deferred.getAsLong() - due > 0 ? deferred.getAsLong() : due);
  }

  private double fullBytes(Tail tail) {
    return Math.min(segmentBytes * tail.rawPerStagedByte(), SegmentLimits.READ_BYTES);
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
