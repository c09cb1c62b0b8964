package dev.tailwater.delivery.tempo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.tempo.Tempo.Mode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TempoTest {
  private final Tempo tempo = new Tempo();

  @Test
  void aModeHoldsUntilTheLastLeaseOnItEnds() {
    Tempo.Lease first = tempo.lease(Mode.HURRY);
    Tempo.Lease second = tempo.lease(EnumSet.of(Mode.HURRY, Mode.NO_RESTS));
    first.close();
    first.close();
    assertTrue(tempo.is(Mode.HURRY), "closing a lease twice ends it once");
    assertTrue(tempo.is(Mode.NO_RESTS));
    assertFalse(tempo.is(Mode.FULL_SPEED));
    second.close();
    assertFalse(tempo.is(Mode.HURRY));
    assertFalse(tempo.is(Mode.NO_RESTS));
  }

  @Test
  void allModesOfALeaseHoldWhenTheFirstListenerIsCalled() {
    List<Boolean> seen = new ArrayList<>();
    tempo.onChange(Mode.HURRY, () -> seen.add(tempo.is(Mode.FULL_SPEED)));
    tempo.onChange(Mode.FULL_SPEED, () -> seen.add(tempo.is(Mode.HURRY)));
    try (Tempo.Lease _ = tempo.lease(EnumSet.of(Mode.HURRY, Mode.FULL_SPEED))) {
      assertEquals(List.of(true, true), seen);
    }
    assertEquals(List.of(true, true, false, false), seen);
  }

  @Test
  void aListenerHearsOnlyOfItsMode() {
    List<Mode> heard = new ArrayList<>();
    tempo.onChange(Mode.HURRY, () -> heard.add(Mode.HURRY));
    tempo.lease(Mode.NO_RESTS).close();
    assertEquals(List.of(), heard);
  }

  @Test
  void aLeaseThatCouldNotBeAnnouncedIsNotHeld() {
    tempo.onChange(
        Mode.HURRY,
        () -> {
          if (tempo.is(Mode.HURRY)) {
            throw new IllegalStateException("planned");
          }
        });
    assertThrows(IllegalStateException.class, () -> tempo.lease(Mode.HURRY));
    assertFalse(tempo.is(Mode.HURRY));
  }
}
