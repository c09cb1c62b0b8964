package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.watch.event.AdaptiveTick;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** On a clock that stands still unless it is moved. */
final class AdaptiveTickTest {
  private long nowNanos = 1_000;
  private final AdaptiveTick tick = new AdaptiveTick(() -> nowNanos, 2, 250);

  private void pass(long micros) {
    nowNanos += TimeUnit.MICROSECONDS.toNanos(micros);
  }

  /** One look that takes so long, right after its tick; returns the tick. */
  private long look(long micros, long events) {
    long millis = tick.collectMillis();
    pass(millis * 1_000);
    tick.beginLook();
    pass(micros);
    tick.endLook(events);
    return millis;
  }

  @Test
  void loneEventIsToldAfterTheShortestTick() {
    for (int i = 0; i < 5; i++) {
      pass(10_000_000);
      assertEquals(2, look(1_000, 1));
    }
  }

  @Test
  void floodLengthensTheTickStepByStepUpToItsBound() {
    List<Long> ticks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ticks.add(look(20_000, 100));
    }
    assertEquals(List.of(2L, 4L, 8L, 16L, 32L, 64L, 128L, 250L, 250L, 250L), ticks);
  }

  @Test
  void tickShortensAgainWhenThereIsLessToDo() {
    for (int i = 0; i < 10; i++) {
      look(20_000, 100);
    }
    List<Long> ticks = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      ticks.add(look(10, 1));
    }
    assertEquals(List.of(250L, 125L, 63L, 32L, 16L, 8L, 4L, 2L, 2L), ticks);
  }

  @Test
  void tickShortensAtOnceAfterQuiet() {
    for (int i = 0; i < 10; i++) {
      look(20_000, 100);
    }
    pass(251_000);
    assertEquals(2, tick.collectMillis());
  }

  @Test
  void lookingTakesAboutAHundredthOfTheTime() {
    for (int i = 0; i < 20; i++) {
      look(500, 10);
    }
    assertEquals(50, tick.collectMillis());
  }

  @Test
  void tickEndsBeforeTheQueueIsHalfFull() {
    long eventsPerMilli = 100;
    long longest = 0;
    for (int i = 0; i < 50; i++) {
      longest = Math.max(longest, look(20_000, (tick.millis() + 20) * eventsPerMilli));
    }
    assertTrue((longest - 1) * eventsPerMilli <= 8_192, "waited " + longest + " ms");
    assertTrue(tick.millis() > 16, "only " + tick.millis() + " ms");
    tick.overflowed();
    for (int i = 0; i < 50; i++) {
      look(20_000, (tick.millis() + 20) * eventsPerMilli);
    }
    assertTrue((tick.millis() - 1) * eventsPerMilli <= 4_096, tick.millis() + " ms");
  }

  @Test
  void overflowIsForgottenAfterHoursWithoutAnother() {
    for (int i = 0; i < 20; i++) {
      tick.overflowed();
    }
    assertEquals(2, tickOfAFlood());
    pass(TimeUnit.HOURS.toMicros(3));
    assertEquals(2, tickOfAFlood());
    for (int i = 0; i < 7; i++) {
      pass(TimeUnit.HOURS.toMicros(1) + 1_000_000);
      look(10, 1);
    }
    assertTrue(tickOfAFlood() > 16);
  }

  /** With 100 events per millisecond. */
  private long tickOfAFlood() {
    for (int i = 0; i < 50; i++) {
      look(20_000, (tick.millis() + 20) * 100);
    }
    return tick.millis();
  }

  @Test
  void fixedTickStaysAsItIs() {
    AdaptiveTick fixed = new AdaptiveTick(() -> nowNanos, 25, 25);
    for (int i = 0; i < 5; i++) {
      assertEquals(25, fixed.collectMillis());
      fixed.beginLook();
      pass(i * 50_000L);
      fixed.endLook(i * 10_000L);
    }
    AdaptiveTick none = new AdaptiveTick(() -> nowNanos, 0, 0);
    none.beginLook();
    pass(1_000);
    none.endLook(1);
    assertEquals(0, none.collectMillis());
  }

  @Test
  void tickFromZeroGetsLongerToo() {
    AdaptiveTick fromZero = new AdaptiveTick(() -> nowNanos, 0, 250);
    assertEquals(0, fromZero.collectMillis());
    pass(1_000);
    fromZero.beginLook();
    pass(20_000);
    fromZero.endLook(1);
    assertEquals(1, fromZero.collectMillis());
    fromZero.endLook(1);
    assertEquals(1, fromZero.collectMillis());
  }
}
