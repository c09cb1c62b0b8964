package dev.tailwater.delivery.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.tempo.Tempo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YieldingTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path directory;
  private long nowNanos = SECOND;
  private long takenNanos = 3 * SECOND;
  private final Tempo tempo = new Tempo();

  private ProcessorBudget budget(double limit) {
    return new ProcessorBudget(limit, () -> takenNanos, () -> nowNanos);
  }

  private Yielding limited(double limit) {
    return new Yielding(
        Optional.of(budget(limit)), Optional.empty(), Optional.empty(), () -> nowNanos, tempo);
  }

  @Test
  void whatWasTakenBeyondTheLimitIsWaitedFor() {
    ProcessorBudget budget = budget(0.5);
    assertEquals(0, budget.waitNanos(), "what was taken before does not count");
    takenNanos += 100_000_000;
    assertEquals(200_000_000, budget.waitNanos());
    nowNanos += 150_000_000;
    assertEquals(50_000_000, budget.waitNanos());
    nowNanos += 50_000_000;
    assertEquals(0, budget.waitNanos());
  }

  @Test
  void aQuietTimeSavesUpHalfASecondAndNoMore() {
    ProcessorBudget budget = budget(0.2);
    nowNanos += 1_000 * SECOND;
    assertEquals(0, budget.waitNanos());
    takenNanos += 100_000_000;
    assertEquals(0, budget.waitNanos());
    takenNanos += 20_000_000;
    assertEquals(100_000_000, budget.waitNanos());
  }

  @Test
  void overAnySecondsTheProcessKeepsToItsLimit() {
    ProcessorBudget budget = budget(0.3);
    long beganNanos = nowNanos;
    long beganTakenNanos = takenNanos;
    while (nowNanos - beganNanos < 60 * SECOND) {
      long waitNanos = budget.waitNanos();
      if (waitNanos == 0) {
        takenNanos += 4_000_000; // A block, at full speed.
        nowNanos += 4_000_000;
      } else {
        nowNanos += waitNanos;
      }
    }
    double part = (takenNanos - beganTakenNanos) / (double) (nowNanos - beganNanos);
    assertEquals(0.3, part, 0.003);
  }

  @Test
  void theLimitHoldsHoweverLateAWorkerIsButNotInAHurry() {
    Yielding yielding = limited(0.5);
    takenNanos += SECOND;
    assertEquals(2 * SECOND, yielding.waitNanos(nowNanos - 100 * SECOND));
    assertTrue(yielding.isOverBudget());
    Tempo.Lease first = tempo.lease(Tempo.Mode.NO_RESTS);
    Tempo.Lease second = tempo.lease(Tempo.Mode.NO_RESTS);
    assertEquals(0, yielding.waitNanos(nowNanos));
    assertFalse(yielding.isOverBudget());
    takenNanos += 20 * SECOND;
    first.close();
    assertEquals(0, yielding.waitNanos(nowNanos), "somebody else is still in a hurry");
    second.close();
    assertEquals(0, yielding.waitNanos(nowNanos), "the hurry is forgiven");
    takenNanos += SECOND;
    assertEquals(2 * SECOND, yielding.waitNanos(nowNanos));
    yielding.close();
    assertEquals(0, yielding.waitNanos(nowNanos));
  }

  @Test
  void whoeverRestsForOthersDoesSoUntilItsTimeIsUp() {
    Yielding yielding =
        new Yielding(Optional.empty(), Optional.empty(), Optional.empty(), () -> nowNanos, tempo);
    assertEquals(40, yielding.waitNanos(nowNanos + 40));
    assertEquals(0, yielding.waitNanos(nowNanos - 1));
    try (Tempo.Lease _ = tempo.lease(Tempo.Mode.NO_RESTS)) {
      assertEquals(0, yielding.waitNanos(nowNanos + 40));
    }
  }

  @Test
  void withoutLimitAndPressureNobodyEverRests() throws Exception {
    Yielding yielding =
        new Yielding(Optional.empty(), Optional.empty(), Optional.empty(), () -> nowNanos, tempo);
    assertEquals(0, yielding.rest(SECOND, Long.MAX_VALUE));
    assertEquals(0, yielding.restedNanos());
  }

  @Test
  void pressureCountsFromItsLimitOnAndALateWorkerDoesNotRest() throws Exception {
    Path file = directory.resolve("cpu");
    Files.writeString(file, "some avg10=0 avg60=0 avg300=0 total=0\n");
    PressureGauge gauge =
        new PressureGauge(
            Map.of(Resource.CPU, List.of(new PressureFile(file))), () -> 0, () -> nowNanos);
    Yielding yielding =
        new Yielding(
            Optional.empty(),
            Optional.of(gauge),
            Optional.of(new PressureLimits(0.2, 0.3, 0.1)),
            () -> nowNanos,
            tempo);
    assertFalse(yielding.isPressed());
    nowNanos += SECOND;
    Files.writeString(file, "some avg10=0 avg60=0 avg300=0 total=199999\n");
    assertFalse(yielding.isPressed());
    nowNanos += SECOND;
    Files.writeString(file, "some avg10=0 avg60=0 avg300=0 total=400000\n");
    assertTrue(yielding.isPressed());
    assertEquals(Set.of(Resource.CPU), yielding.pressing());
    assertEquals(0, yielding.rest(SECOND, nowNanos), "there is no time left to rest");
  }
}
