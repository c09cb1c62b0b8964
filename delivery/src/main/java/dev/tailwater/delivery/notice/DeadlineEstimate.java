package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * How much time a notice leaves. Wall clocks may be wrong, and a notice may be of the past: a
 * machine may outlive its deadline, and the metadata may go on telling of it.
 */
final class DeadlineEstimate {
  /** Somebody who is still alive after the deadline has this long, and again, and again. */
  static final Duration LEAST = Duration.ofSeconds(2);

  /** A deadline that is farther in the past than this was survived. */
  static final Duration STALE_AFTER = Duration.ofSeconds(60);

  /** Nothing is planned farther ahead; a deadline beyond is as good as this one. */
  private static final Duration FARTHEST = Duration.ofDays(365);

  private DeadlineEstimate() {}

  /** In nanoseconds that can be added to a clock without overflow. */
  static long nanos(Duration left) {
    if (left.compareTo(FARTHEST) > 0) {
      return FARTHEST.toNanos();
    }
    Duration longAgo = FARTHEST.negated();
    return left.compareTo(longAgo) < 0 ? longAgo.toNanos() : left.toNanos();
  }

  /**
   * The time left; empty if the notice is of the past.
   *
   * @param fresh whether the source has answered before without it. Then the notice is new,
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
