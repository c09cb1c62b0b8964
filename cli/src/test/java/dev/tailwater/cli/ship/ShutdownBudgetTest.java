package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownBudgetTest {
  /** How long HotSpot waits for threads in native calls when it ends. */
  private static final Duration WAIT_OF_THE_JVM = Duration.ofMillis(300);

  @Test
  void theProcessIsEndedEarlyEnoughForTheJvmToEndBeforeTheDeadline() {
    for (int seconds : List.of(2, 4, 5, 25, 3600)) {
      ShutdownBudget budget = ShutdownBudget.of(Duration.ofSeconds(seconds));
      assertTrue(budget.halting().compareTo(WAIT_OF_THE_JVM) > 0, budget::toString);
    }
  }

  @Test
  void theDrainEndsBeforeThatAndHasMostOfTheTime() {
    for (int tenths : List.of(10, 20, 50, 100, 250)) {
      Duration time = Duration.ofMillis(100L * tenths);
      ShutdownBudget budget = ShutdownBudget.of(time);
      assertTrue(budget.closing().compareTo(budget.halting()) > 0, budget::toString);
      assertTrue(budget.closing().multipliedBy(3).compareTo(time) < 0, budget::toString);
    }
  }

  @Test
  void closingHasItsOwnTimeBeforeTheProcessIsEnded() {
    assertEquals(
        new ShutdownBudget(Duration.ofMillis(1_400), Duration.ofMillis(600)),
        ShutdownBudget.of(Duration.ofHours(1)));
    assertEquals(
        new ShutdownBudget(Duration.ofMillis(1_000), Duration.ofMillis(600)),
        ShutdownBudget.of(Duration.ofSeconds(5)));
  }
}
