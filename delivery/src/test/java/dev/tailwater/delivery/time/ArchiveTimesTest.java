package dev.tailwater.delivery.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.name.GroupBound;
import org.junit.jupiter.api.Test;

class ArchiveTimesTest {
  private static final long NOW = 1_700_000_000_000L;

  private final GroupBound bound = new GroupBound(() -> NOW);

  @Test
  void anArrivalMayBeAheadOfTheClock() {
    ToldTimes told = ToldTimes.NONE.with(NOW, bound).withArrival(NOW + 9_000, bound);
    assertEquals(NOW, told.credibleMillis());
    assertEquals(NOW + 9_000, told.arrivalMillis());
  }

  @Test
  void anArrivalThatIsFurtherAheadWasToldWhenTheClockShowedAnotherTime() {
    ToldTimes told = ToldTimes.NONE.with(NOW, bound).withArrival(NOW + 3_600_000, bound);
    assertEquals(
        NOW + 3_600_000 - ToldTimes.ARRIVALS_AHEAD_MILLIS, told.credibleMillis(), "at least");
    assertEquals(NOW + 3_600_000, told.arrivalMillis());
  }

  @Test
  void aTimeThatNoClockShowsHidesNothing() {
    ToldTimes told =
        ToldTimes.NONE
            .with(NOW, bound)
            .withArrival(NOW, bound)
            .with(Long.MAX_VALUE, bound)
            .withArrival(Long.MAX_VALUE - 1, bound);
    assertEquals(Long.MAX_VALUE, told.latestMillis());
    assertEquals(NOW, told.credibleMillis());
    assertEquals(NOW, told.arrivalMillis());
  }

  @Test
  void arrivalsOfWhichNobodyKnowsMayBeAheadOfTheClockOrOfWhatIsTold() {
    long most = ToldTimes.ARRIVALS_AHEAD_MILLIS;
    ToldTimes told = ToldTimes.NONE.with(NOW, bound);
    assertEquals(NOW + 1 + most, told.withUnknownArrivals(NOW + 1).arrivalMillis());
    assertEquals(NOW + most, told.withUnknownArrivals(NOW - 1).arrivalMillis());
    assertEquals(NOW, told.withUnknownArrivals(NOW + 1).credibleMillis(), "no clock shows that");
    ToldTimes ahead = told.withArrival(NOW + 3_600_000, bound);
    assertEquals(NOW + 3_600_000, ahead.withUnknownArrivals(NOW).arrivalMillis());
  }
}
