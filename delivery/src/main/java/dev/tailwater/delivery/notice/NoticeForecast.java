package dev.tailwater.delivery.notice;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is known about the future of this machine.
 *
 * @param active the notices in force, oldest first
 */
public record NoticeForecast(List<ActiveNotice> active) {
  public NoticeForecast {
    active = List.copyOf(active);
  }

  /** Returns the termination with the earliest deadline. */
  public Optional<ActiveNotice> termination() {
    // Compares differences, since the monotonic clock can overflow.
    return active.stream()
        .filter(ActiveNotice::isTermination)
        .min(
            Comparator.comparing(
                notice -> notice.deadlineNanos().orElseThrow(), (a, b) -> Long.signum(a - b)));
  }

  /** Returns whether any notice is in force: a termination, a risk or a pause. */
  public boolean hasNotices() {
    return !active.isEmpty();
  }
}
