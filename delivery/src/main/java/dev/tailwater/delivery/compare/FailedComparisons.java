package dev.tailwater.delivery.compare;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tails that could not be compared. They are one problem, which is over when each of them was
 * compared or has ended: that another file can be read says nothing of theirs. Thread-safe.
 */
final class FailedComparisons {
  private static final String COMPARING = "comparing files";

  private final Problems problems;

  /** What is said of each; the one that failed first comes first. */
  @GuardedBy("this")
  private final Map<Tail, String> messages = new LinkedHashMap<>();

  FailedComparisons(Problems problems) {
    this.problems = problems;
  }

  /** Reports that a tail could not be compared. */
  void failed(Tail tail, Throwable why) {
    String message = tail.name() + " cannot be compared with what was delivered: " + why;
    synchronized (this) {
      messages.put(tail, message);
    }
    report(message);
    settle(true);
    if (tail.isEnded()) {
      over(tail); // It may have ended before it was noted.
    }
  }

  /** Notes that a tail was compared, or has ended. */
  void over(Tail tail) {
    synchronized (this) {
      if (messages.remove(tail) == null) {
        return;
      }
    }
    Optional<String> left = first();
    tell(left);
    settle(left.isPresent());
  }

  /**
   * Tells what became true while the opposite was told: whoever tells last has looked after it.
   *
   * @param told whether it was told that some tail could not be compared
   */
  private void settle(boolean told) {
    boolean isOpen = told;
    for (Optional<String> now = first(); now.isPresent() != isOpen; now = first()) {
      tell(now);
      isOpen = now.isPresent();
    }
  }

  private synchronized Optional<String> first() {
    return messages.values().stream().findFirst();
  }

  /** Without the lock: who listens may take long. */
  private void tell(Optional<String> message) {
    message.ifPresentOrElse(this::report, () -> problems.resolved(COMPARING));
  }

  private void report(String message) {
    problems.report(
        COMPARING,
        message,
        Optional.of("it is tried again; what was replaced in it is not delivered meanwhile"),
        false);
  }
}
