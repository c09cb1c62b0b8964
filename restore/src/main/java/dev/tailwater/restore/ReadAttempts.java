package dev.tailwater.restore;

import dev.tailwater.destination.retry.Backoff;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How often a call that failed is repeated, and how long to wait in between.
 *
 * @param most attempts in all, at least 1
 * @param nanoTime by which a server that gives nothing is given up
 */
public record ReadAttempts(int most, Backoff backoff, LongSupplier nanoTime) {
  public ReadAttempts {
    if (most < 1) {
      throw new IllegalArgumentException("at least 1 attempt, not " + most);
    }
  }

  public ReadAttempts(int most, Backoff backoff) {
    this(most, backoff, System::nanoTime);
  }

  /** Six attempts over at most half a minute. */
  public static ReadAttempts defaults() {
    return new ReadAttempts(6, new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10)));
  }
}
