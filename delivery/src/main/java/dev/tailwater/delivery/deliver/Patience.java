package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Repeats a call to the destination until it succeeds, or until it is told to stop, or until the
 * policy gives up. Thread-safe: many calls wait at once, and all are woken together.
 */
final class Patience {
  private final RetryPolicy policy;
  private final Problems problems;
  private final LongSupplier clockMillis;
  private final RandomGenerator random;
  private boolean abandoned;
  private long wakeups;

  Patience(
      RetryPolicy policy, Problems problems, LongSupplier clockMillis, RandomGenerator random) {
    this.policy = policy;
    this.problems = problems;
    this.clockMillis = clockMillis;
    this.random = random;
  }

  /** A call to the destination. */
  interface Attempt<T> {
    T call() throws DestinationException;
  }

  /**
   * The result, or empty when there will be none.
   *
   * @param subject under which failures are reported; the same for every call that would fail for
   *     the same reason
   */
  <T> Optional<T> persist(String subject, Attempt<T> attempt) throws InterruptedException {
    long startedMillis = clockMillis.getAsLong();
    for (int failures = 1; ; failures++) {
      try {
        if (isAbandoned()) {
          return Optional.empty();
        }
        T result = attempt.call();
        problems.resolved(subject);
        return Optional.of(result);
      } catch (DestinationException e) {
        boolean permanent = e instanceof PermanentDestinationException;
        problems.report(subject, String.valueOf(e.getMessage()), Optional.of(e.hint()), permanent);
        long waitedMillis = clockMillis.getAsLong() - startedMillis;
        boolean givenUp =
            policy
                .giveUpAfter()
                .filter(limit -> permanent || waitedMillis >= limit.toMillis())
                .isPresent();
        if (givenUp || !pause(policy.waitMillis(failures, permanent, random))) {
          return Optional.empty();
        }
      }
    }
  }

  /** Waits; false when there is no use in another attempt. */
  private synchronized boolean pause(long millis) throws InterruptedException {
    long wakeupsBefore = wakeups;
    long deadline = clockMillis.getAsLong() + millis;
    for (long left = millis;
        left > 0 && !abandoned && wakeups == wakeupsBefore;
        left = deadline - clockMillis.getAsLong()) {
      wait(left);
    }
    return !abandoned;
  }

  /** Everybody who waits tries again now. */
  synchronized void retryNow() {
    wakeups++;
    notifyAll();
  }

  /** Nobody tries again. */
  synchronized void abandon() {
    abandoned = true;
    notifyAll();
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }
}
