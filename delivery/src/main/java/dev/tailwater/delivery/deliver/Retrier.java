package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.measure.Occupancy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.UnsuitableKeyException;
import dev.tailwater.posix.Errno;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Repeats calls to a destination until they succeed, the policy gives up, or they are abandoned.
 * Thread-safe: many calls may wait at once, and all are woken together.
 */
final class Retrier {
  private static final String UNSUITABLE_HINT =
      " What it was to hold is not in the archive; it is tried again after a restart.";

  /** So many streams with keys that a destination can never hold are problems of their own. */
  private static final int MOST_NAMED = 1000;

  private final RetryPolicy policy;
  private final Problems problems;
  private final Occupancy retrying;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private final Runnable afterSuccess;

  @GuardedBy("this")
  private final Map<String, Integer> failing = new HashMap<>();

  @GuardedBy("this")
  private final Set<String> unsuitable = new HashSet<>();

  @GuardedBy("this")
  private boolean abandoned;

  @GuardedBy("this")
  private long wakeups;

  /**
   * Creates a retrier.
   *
   * @param afterSuccess called when a call has succeeded: others that were given up may, too
   */
  Retrier(DelivererSettings settings, Problems problems, Runnable afterSuccess) {
    this.afterSuccess = afterSuccess;
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
   * Calls until a call succeeds. One about a key that the destination can never hold is given up at
   * once: it would keep its thread, and its buffer, for ever.
   *
   * @param subject under which failures are reported; the same for all calls that would fail for
   *     the same reason
   * @return the result; empty when it is given up or abandoned
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
          afterSuccess.run();
          return Optional.of(result);
        } catch (UnsuitableKeyException e) {
          reportUnsuitable(e);
          return Optional.empty();
        } catch (DestinationException | RuntimeException | Error e) {
          if (!failed) {
            failed = true;
            begins(subject);
          }
          boolean permanent = report(subject, e);
          if (isGivenUp(permanent, failures, startedNanos)
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

  /** A single attempt may take longer than the limit, and something may pass meanwhile. */
  private boolean isGivenUp(boolean permanent, int failures, long startedNanos) {
    long waitedNanos = nanoClock.getAsLong() - startedNanos;
    return policy
        .giveUpAfter()
        .filter(limit -> permanent || (failures > 1 && waitedNanos >= limit.toNanos()))
        .isPresent();
  }

  /** Notes that one more call is failing. */
  private synchronized void begins(String subject) {
    failing.merge(subject, 1, Integer::sum);
  }

  private synchronized void ends(String subject) {
    failing.computeIfPresent(subject, (_, calls) -> calls == 1 ? null : calls - 1);
  }

  /**
   * Notes that a call has succeeded. The problem is over when no call has it any more: a full
   * destination may still accept what is short, but not what is long.
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
   * Reports a failure; returns whether another attempt is not expected to help. That holds for
   * unforeseen failures, such as a class that a plug-in lacks; but a lack of memory may pass.
   */
  boolean report(String subject, Throwable failure) {
    if (failure instanceof DestinationException refusal) {
      problems.report(
          subject,
          refusal.operation() + " " + refusal.errno().map(Errno::name).orElseGet(refusal::reason),
          refusal.getMessage(),
          Optional.of(refusal.retryHint()),
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

  private void reportUnsuitable(UnsuitableKeyException e) {
    // One for each stream, as a file that grows has ever more keys.
    String stream = e.key().substring(0, e.key().lastIndexOf('/') + 1);
    String subject = isNamed(stream) ? stream : "keys that are refused";
    problems.report(
        subject,
        e.operation() + " " + e.reason(),
        e.getMessage(),
        Optional.of(e.hint() + UNSUITABLE_HINT),
        true);
  }

  private synchronized boolean isNamed(String stream) {
    return unsuitable.contains(stream)
        || (unsuitable.size() < MOST_NAMED && unsuitable.add(stream));
  }

  /** Waits before the next attempt; false when there will be none. */
  private boolean pause(long millis) throws InterruptedException {
    retrying.enter();
    try {
      return sleep(millis);
    } finally {
      retrying.leave();
    }
  }

  /**
   * Waits for something that no {@linkplain #retryNow hurry} brings about; false when all is
   * abandoned.
   */
  synchronized boolean sleepThrough(Duration time) throws InterruptedException {
    Deadline deadline = Deadline.after(time);
    while (!deadline.isPast() && !abandoned) {
      deadline.timedWait(this);
    }
    return !abandoned;
  }

  private synchronized boolean sleep(long millis) throws InterruptedException {
    long wakeupsBefore = wakeups;
    Deadline deadline = Deadline.after(Duration.ofMillis(millis), nanoClock);
    while (!deadline.isPast() && !abandoned && wakeups == wakeupsBefore) {
      deadline.timedWait(this);
    }
    return !abandoned;
  }

  /** Makes every call that waits try again now. */
  synchronized void retryNow() {
    wakeups++;
    notifyAll();
  }

  /** Ends retrying: no call is tried again. */
  synchronized void abandon() {
    abandoned = true;
    notifyAll();
  }

  /** Returns whether retrying has ended, since the agent ends. */
  synchronized boolean isAbandoned() {
    return abandoned;
  }
}
