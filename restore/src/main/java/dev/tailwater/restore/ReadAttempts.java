package dev.tailwater.restore;

import dev.tailwater.destination.Backoff;
import java.time.Duration;

/**
 * How often a call that failed is repeated, and how long to wait in between.
 *
 * @param most attempts in all, at least 1
 */
public record ReadAttempts(int most, Backoff backoff) {
  public ReadAttempts {
    if (most < 1) {
      throw new IllegalArgumentException("at least 1 attempt, not " + most);
    }
  }

  /** Six attempts over at most half a minute. */
  public static ReadAttempts defaults() {
    return new ReadAttempts(6, new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10)));
  }
}
