package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * Estimates how much time a notice leaves. Wall clocks may be wrong, and a notice may be outdated:
 * when a machine outlives its deadline, the metadata may still have the notice.
 */
final class DeadlineEstimate {
  /** What a machine that has outlived its deadline is assumed to have left, however often. */
  static final Duration LEAST = Duration.ofSeconds(2);

  /** A deadline that passed longer ago than this was survived. */
  static final Duration STALE_AFTER = Duration.ofSeconds(60);

  /** A deadline beyond this is as good as this one. */
  private static final Duration FARTHEST = Duration.ofDays(365);

  private DeadlineEstimate() {}

  /** Returns the duration in nanoseconds, bounded so that it can be added to a clock. */
  static long nanos(Duration left) {
    if (left.compareTo(FARTHEST) > 0) {
      return FARTHEST.toNanos();
    }
    Duration longAgo = FARTHEST.negated();
    return left.compareTo(longAgo) < 0 ? longAgo.toNanos() : left.toNanos();
  }

  /**
   * Returns the time left; empty if the notice is outdated.
   *
   * @param fresh whether the source has answered before without the notice, so that it is new
   *     whatever the clocks say
   */
  static Optional<Duration> left(Notice notice, boolean fresh) {
    Duration left = notice.left().orElse(notice.usual());
    if (left.compareTo(LEAST) >= 0) {
      return Optional.of(left);
    }
    if (!left.isNegative()) {
      return Optional.of(LEAST);
    }
    if (fresh) {
      return Optional.of(notice.usual());
    }
    return left.plus(STALE_AFTER).isNegative() ? Optional.empty() : Optional.of(LEAST);
  }
}
