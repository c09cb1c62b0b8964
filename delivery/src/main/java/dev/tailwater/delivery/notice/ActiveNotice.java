package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * A notice in force, with its deadline on the monotonic clock, so that it does not move when the
 * wall clock is set.
 *
 * @param source the name of the source that gave it
 * @param deadlineNanos the deadline on the monotonic clock; empty when there is none
 */
public record ActiveNotice(String source, Notice notice, Optional<Long> deadlineNanos) {

  /** Returns the time until the deadline; negative when it has passed. */
  public Optional<Duration> left(long nowNanos) {
    return deadlineNanos.map(deadline -> Duration.ofNanos(deadline - nowNanos));
  }

  boolean isTermination() {
    return notice.kind() == Notice.Kind.TERMINATION;
  }
}
