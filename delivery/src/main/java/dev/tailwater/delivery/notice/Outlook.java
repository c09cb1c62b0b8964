package dev.tailwater.delivery.notice;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All that is known about the future of this machine.
 *
 * @param heard the notices that hold, in the order in which they were heard
 */
public record Outlook(List<Heard> heard) {
  public Outlook {
    heard = List.copyOf(heard);
  }

  /** The termination with the earliest deadline. */
  public Optional<Heard> termination() {
    // Differences, since the monotonic clock may be anywhere and overflow.
    return heard.stream()
        .filter(Heard::isTermination)
        .min(
            Comparator.comparing(
                h -> h.deadlineNanos().orElseThrow(), (a, b) -> Long.signum(a - b)));
  }

  /** Whether anything is to be expected, be it a termination, a risk or a pause. */
  public boolean isUneasy() {
    return !heard.isEmpty();
  }
}
