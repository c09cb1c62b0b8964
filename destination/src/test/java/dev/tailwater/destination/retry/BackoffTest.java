package dev.tailwater.destination.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
  private final RandomGenerator random = new Random(1);

  private LongStream waitsAfter(int failures) {
    return LongStream.generate(() -> backoff.waitMillis(failures, random)).limit(10_000);
  }

  @Test
  void theLimitDoublesUpToTheMaximum() {
    assertEquals(100, waitsAfter(1).max().orElseThrow());
    assertEquals(200, waitsAfter(2).max().orElseThrow());
    assertTrue(waitsAfter(6).max().orElseThrow() > 3_000);
    assertTrue(waitsAfter(7).max().orElseThrow() > 4_900);
    assertTrue(waitsAfter(1_000_000).allMatch(wait -> wait >= 0 && wait <= 5_000));
  }

  @Test
  void waitsAreSpreadFromZeroToTheLimit() {
    assertEquals(0, waitsAfter(1).min().orElseThrow());
    assertEquals(50, waitsAfter(1).average().orElseThrow(), 2);
  }

  @Test
  void nothingIsWaitedForWhereNoWaitIsWanted() {
    assertEquals(0, new Backoff(Duration.ZERO, Duration.ZERO).waitMillis(5, random));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
  }
}
