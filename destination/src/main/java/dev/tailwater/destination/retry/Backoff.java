package dev.tailwater.destination.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: the limit of a wait doubles with each failure, and each
 * wait is drawn at random between zero and the limit, so that a thousand agents do not return at
 * the same moment.
 *
 * @param first the limit of the wait after the first failure, 0 or more
 * @param max the limit of any wait, at least {@code first}
 * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Marc
 *     Brooker, "Exponential Backoff And Jitter"</a>
 */
public record Backoff(Duration first, Duration max) {
  /** The limit of doublings. More would overflow, and any sensible maximum is reached earlier. */
  private static final int MAX_DOUBLINGS = 20;

  public Backoff {
    if (first.isNegative() || max.compareTo(first) < 0) {
      throw new IllegalArgumentException("not 0 <= " + first + " <= " + max);
    }
  }

  /**
   * Draws the wait before the next attempt, in milliseconds.
   *
   * @param failures so far, at least 1
   */
  public long waitMillis(int failures, RandomGenerator random) {
    long limitMillis = first.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
    return random.nextLong(Math.min(limitMillis, max.toMillis()) + 1);
  }
}
