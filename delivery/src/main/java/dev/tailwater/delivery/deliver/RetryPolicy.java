package dev.tailwater.delivery.deliver;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait before another attempt: exponential backoff with full jitter, so that a thousand
 * agents do not return at the same moment (Marc Brooker, "Exponential Backoff And Jitter").
 *
 * @param base the longest wait after the first transient failure; it doubles with each further one
 * @param max the longest wait after any transient failure
 * @param permanent the wait after a permanent refusal: long, but repeated forever, since no data is
 *     dropped because a destination refused it
 * @param giveUpAfter for a run that must end by itself: how long transient failures are retried; a
 *     permanent refusal is not retried at all then; empty for an agent, which retries forever
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

  /** Returns the wait before the next attempt, in milliseconds. */
  public long waitMillis(int failures, boolean permanentRefusal, RandomGenerator random) {
    if (permanentRefusal) {
      long millis = permanent.toMillis();
      return millis / 2 + random.nextLong(millis / 2 + 1);
    }
    long ceiling = base.toMillis() << Math.min(failures - 1, 20);
    return random.nextLong(Math.min(ceiling, max.toMillis()) + 1);
  }
}
