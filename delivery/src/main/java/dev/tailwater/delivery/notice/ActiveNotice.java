package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * A notice that holds, with its deadline on the monotonic clock: however the wall clock is set from
 * now on, the deadline stays.
 *
 * @param source who said it
 * @param deadlineNanos on the monotonic clock; empty: there is none
 */
public record ActiveNotice(String source, Notice notice, Optional<Long> deadlineNanos) {

  /** Until the deadline; negative: it is past. */
  public Optional<Duration> left(long nowNanos) {
    return deadlineNanos.map(deadline -> Duration.ofNanos(deadline - nowNanos));
  }

  boolean isTermination() {
    return notice.kind() == Notice.Kind.TERMINATION;
  }
}
