package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.measure.Occupancy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.posix.Errno;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Repeats a call to the destination until it succeeds, or until it is told to stop, or until the
 * policy gives up. Thread-safe: many calls wait at once, and all are woken together.
 */
final class Retrier {
  private final RetryPolicy policy;
  private final Problems problems;
  private final Occupancy retrying;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private final Map<String, Integer> failing = new HashMap<>();
  private boolean abandoned;
  private long wakeups;

  Retrier(DelivererSettings settings, Problems problems) {
    this.policy = settings.retries();
    this.problems = problems;
    this.retrying = settings.meter().retrying();
    this.nanoClock = settings.nanoClock();
    this.random = settings.random();
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
  <T> Optional<T> retry(String subject, Attempt<T> attempt) throws InterruptedException {
    boolean failed = false;
    long startedNanos = nanoClock.getAsLong();
    try {
      for (int failures = 1; ; failures++) {
        try {
          if (isAbandoned()) {
            return Optional.empty();
          }
          T result = attempt.call();
          succeeded(subject, failed);
          failed = false;
          return Optional.of(result);
        } catch (DestinationException | RuntimeException | Error e) {
          if (!failed) {
            failed = true;
            begins(subject);
          }
          boolean permanent = report(subject, e);
          if (isGivenUp(permanent, startedNanos)
              || !pause(policy.waitMillis(failures, permanent, random))) {
            return Optional.empty();
          }
        }
      }
    } finally {
      if (failed) {
        ends(subject);
      }
    }
  }

  private boolean isGivenUp(boolean permanent, long startedNanos) {
    long waitedNanos = nanoClock.getAsLong() - startedNanos;
    return policy
        .giveUpAfter()
        .filter(limit -> permanent || waitedNanos >= limit.toNanos())
        .isPresent();
  }

  /** One more call fails for now. */
  private synchronized void begins(String subject) {
    failing.merge(subject, 1, Integer::sum);
  }

  private synchronized void ends(String subject) {
    failing.computeIfPresent(subject, (_, calls) -> calls == 1 ? null : calls - 1);
  }

  /**
   * The problem is over when no call has it any more: what is short may still get through to a
   * destination that has no room for what is long.
   */
  private void succeeded(String subject, boolean hadFailed) {
    if (hadFailed) {
      ends(subject);
    }
    if (!isFailing(subject)) {
      problems.resolved(subject);
    }
  }

  private synchronized boolean isFailing(String subject) {
    return failing.containsKey(subject);
  }

  /**
   * Whether another attempt is not expected to help. What nobody foresaw counts as that, as a class
   * that a plug-in lacks; but memory that is lacking may be there when others are done.
   */
  private boolean report(String subject, Throwable failure) {
    if (failure instanceof DestinationException refusal) {
      problems.report(
          subject,
          refusal.operation() + " " + refusal.errno().map(Errno::name).orElseGet(refusal::reason),
          refusal.getMessage(),
          Optional.of(refusal.hint()),
          refusal.permanent());
      return refusal.permanent();
    }
    boolean permanent = !(failure instanceof OutOfMemoryError);
    problems.report(
        subject,
        String.valueOf(failure),
        Optional.of("this should not happen; the bytes stay at risk and are tried again"),
        permanent);
    return permanent;
  }

  /** Waits; false when there is no use in another attempt. */
  private boolean pause(long millis) throws InterruptedException {
    retrying.enter();
    try {
      return sleep(millis);
    } finally {
      retrying.leave();
    }
  }

  private synchronized boolean sleep(long millis) throws InterruptedException {
    long wakeupsBefore = wakeups;
    long deadlineNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long leftMillis = millis;
        leftMillis > 0 && !abandoned && wakeups == wakeupsBefore;
        leftMillis = Math.ceilDiv(deadlineNanos - nanoClock.getAsLong(), 1_000_000)) {
      wait(leftMillis);
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
