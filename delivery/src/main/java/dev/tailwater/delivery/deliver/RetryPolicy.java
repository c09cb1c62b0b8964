package dev.tailwater.delivery.deliver;

import dev.tailwater.destination.retry.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a call to a destination is repeated, and when it is given up.
 *
 * @param backoff after transient failures
 * @param permanent the wait after a permanent refusal: long, but repeated forever, since no data is
 *     dropped because a destination refused it
 * @param giveUpAfter for a run that must end by itself: how long transient failures are retried, at
 *     least once; a permanent refusal is not retried at all then; empty for an agent, which retries
 *     forever
 */
public record RetryPolicy(Backoff backoff, Duration permanent, Optional<Duration> giveUpAfter) {
  private static final Duration FIRST = Duration.ofMillis(100);

  /** Returns the policy of an agent, which never gives up. */
  public static RetryPolicy forever() {
    return new RetryPolicy(
        new Backoff(FIRST, Duration.ofSeconds(30)), Duration.ofSeconds(15), Optional.empty());
  }

  /** Returns the policy of a run that must end by itself. */
  public static RetryPolicy until(Duration giveUpAfter) {
    Duration max = Duration.ofSeconds(5);
    return new RetryPolicy(new Backoff(FIRST, max), max, Optional.of(giveUpAfter));
  }

  /** Returns the wait before the next attempt, in milliseconds. */
  public long waitMillis(int failures, boolean permanentRefusal, RandomGenerator random) {
    if (permanentRefusal) {
      long millis = permanent.toMillis();
      return millis / 2 + random.nextLong(millis / 2 + 1);
    }
    return backoff.waitMillis(failures, random);
  }
}
