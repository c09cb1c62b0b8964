package dev.tailwater.destination.cloud;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the pace after a server asked to slow down. */
class ThrottleTest {
  private static final long MILLI = 1_000_000;

  private long now = Long.MAX_VALUE - 5; // nanoTime may overflow.
  private final List<Long> slept = new ArrayList<>();
  private final Throttle throttle =
      new Throttle(
          () -> now,
          nanos -> {
            slept.add(nanos);
            now += nanos;
          });

  @Test
  void doesNotWaitWhileNobodyAsks() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      assertEquals(now, throttle.awaitTurn());
      throttle.succeeded();
    }
    assertEquals(List.of(), slept);
  }

  @Test
  void doublesTheGapUpToASecondAndSpacesTheTurns() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      throttle.slowDown(throttle.awaitTurn());
    }
    assertEquals(1000 * MILLI, throttle.gapNanos());
    slept.clear();
    long first = throttle.awaitTurn();
    long second = throttle.awaitTurn();
    assertEquals(1000 * MILLI, second - first);
  }

  @Test
  void takesTheAnswersToOneBurstForOne() throws InterruptedException {
    long[] began = new long[8];
    for (int i = 0; i < began.length; i++) {
      began[i] = throttle.awaitTurn();
    }
    now += MILLI;
    for (long moment : began) {
      throttle.slowDown(moment);
    }
    assertEquals(20 * MILLI, throttle.gapNanos());
    throttle.slowDown(throttle.awaitTurn());
    assertEquals(40 * MILLI, throttle.gapNanos());
  }

  @Test
  void isFastAgainAfterSuccesses() throws InterruptedException {
    throttle.slowDown(throttle.awaitTurn());
    int successes = 0;
    while (throttle.gapNanos() > 0) {
      long before = throttle.gapNanos();
      throttle.succeeded();
      assertTrue(throttle.gapNanos() < before);
      successes++;
    }
    assertEquals(22, successes, "0.9 to the power of 22 is below a tenth");
  }
}
