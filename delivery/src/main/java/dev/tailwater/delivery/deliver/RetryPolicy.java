package dev.tailwater.delivery.deliver;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again: exponential with full jitter, so that a thousand agents do
 * not come back at the same moment. (Marc Brooker, "Exponential Backoff And Jitter".)
 *
 * @param base the longest wait after a first transient failure; it doubles with each further one
 * @param max no wait is longer
 * @param permanent the wait after a permanent refusal: slow, but for ever, since data is never
 *     dropped because a destination said no
 * @param giveUpAfter for a run that must end by itself: how long transient failures are borne, and
 *     a permanent refusal is then not tried again; empty for an agent
 */
public record RetryPolicy(
    Duration base, Duration max, Duration permanent, Optional<Duration> giveUpAfter) {

  public static RetryPolicy forever() {
    return new RetryPolicy(
        Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofSeconds(15), Optional.empty());
  }

  public static RetryPolicy until(Duration giveUpAfter) {
    return new RetryPolicy(
        Duration.ofMillis(100),
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        Optional.of(giveUpAfter));
  }

  /** The wait before the next attempt, in milliseconds. */
  public long waitMillis(int failures, boolean permanentRefusal, RandomGenerator random) {
    if (permanentRefusal) {
      long millis = permanent.toMillis();
      return millis / 2 + random.nextLong(millis / 2 + 1);
    }
    long ceiling = base.toMillis() << Math.min(failures - 1, 20);
    return random.nextLong(Math.min(ceiling, max.toMillis()) + 1);
  }
}
