package dev.tailwater.delivery.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ArchiveClockTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
  private final ArchiveClock clock = new ArchiveClock(new Clocks(nanos::get, millis::get));

  @Test
  void showsTheTimeOfTheMachineWhereNoArchiveIsAhead() {
    assertEquals(millis.get(), clock.getAsLong());
    assertEquals(0, clock.goOnAfter(millis.get() - 1));
    assertEquals(millis.get(), clock.getAsLong());
  }

  @Test
  void goesOnAfterWhatAnArchiveTellsUntilTheMachineHasCaughtUp() {
    long told = millis.get() + 60_000;
    assertEquals(60_001, clock.goOnAfter(told));
    assertEquals(told + 1, clock.getAsLong());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    millis.addAndGet(2_000);
    assertEquals(told + 2_001, clock.getAsLong());
    millis.addAndGet(120_000);
    assertEquals(millis.get(), clock.getAsLong());
  }

  @Test
  void doesNotGoBackForAnArchiveThatIsLessAhead() {
    long told = millis.get() + 60_000;
    assertEquals(60_001, clock.goOnAfter(told));
    assertEquals(0, clock.goOnAfter(told - 1_000));
    assertEquals(told + 1, clock.getAsLong());
  }

  @Test
  void isNotCarriedAwayByATimeThatNoClockShows() {
    assertEquals(0, clock.goOnAfter(Long.MAX_VALUE));
    assertEquals(0, clock.goOnAfter(millis.get() + TimeUnit.DAYS.toMillis(367)));
    assertEquals(millis.get(), clock.getAsLong());
  }
}
