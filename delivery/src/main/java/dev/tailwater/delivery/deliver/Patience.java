package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.measure.Occupancy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.DestinationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Repeats a call to the destination until it succeeds, or until it is told to stop, or until the
 * policy gives up. Thread-safe: many calls wait at once, and all are woken together.
 */
final class Patience {
  private final RetryPolicy policy;
  private final Problems problems;
  private final Occupancy retrying;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private boolean abandoned;
  private long wakeups;

  Patience(DelivererSettings settings, Problems problems) {
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
  <T> Optional<T> persist(String subject, Attempt<T> attempt) throws InterruptedException {
    long startedNanos = nanoClock.getAsLong();
    for (int failures = 1; ; failures++) {
      try {
        if (isAbandoned()) {
          return Optional.empty();
        }
        T result = attempt.call();
        problems.resolved(subject);
        return Optional.of(result);
      } catch (DestinationException | RuntimeException | Error e) {
        boolean permanent = report(subject, e);
        long waitedNanos = nanoClock.getAsLong() - startedNanos;
        boolean givenUp =
            policy
                .giveUpAfter()
                .filter(limit -> permanent || waitedNanos >= limit.toNanos())
                .isPresent();
        if (givenUp || !pause(policy.waitMillis(failures, permanent, random))) {
          return Optional.empty();
        }
      }
    }
  }

  /**
   * Whether another attempt is not expected to help. What nobody foresaw counts as that, as a class
   * that a plug-in lacks; but memory that is lacking may be there when others are done.
   */
  private boolean report(String subject, Throwable failure) {
    if (failure instanceof DestinationException refusal) {
      problems.report(
          subject,
          String.valueOf(refusal.getMessage()),
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
