package dev.tailwater.delivery.pack;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When short ranges begin to travel in packs. */
final class PackSwitchTest {
  private static final Duration MAX_AGE = Duration.ofSeconds(5);

  private long nanos = -7; // Clocks may be negative.
  private final PackSwitch packs = new PackSwitch(new PackUse(4), MAX_AGE, () -> nanos);

  @Test
  void isTurnedOnByFilesThatWaitTogether() {
    assertFalse(packs.takes("a", 3));
    assertTrue(packs.takes("a", 4));
    assertTrue(packs.takes("a", 1), "for the rest of the run");
  }

  @Test
  void isTurnedOnByFilesThatFollowOneAnotherFasterThanTheyAreFound() {
    for (String stream : new String[] {"a", "b", "c"}) {
      assertFalse(packs.takes(stream, 1), stream);
      nanos += MAX_AGE.dividedBy(3).toNanos();
    }
    assertTrue(packs.takes("d", 1));
  }

  @Test
  void staysOffForOneFileThatIsDeliveredOften() {
    for (int i = 0; i < 100; i++) {
      assertFalse(packs.takes("a", 1));
      nanos++;
    }
  }

  @Test
  void staysOffForFilesThatFollowOneAnotherSlowly() {
    for (int i = 0; i < 100; i++) {
      assertFalse(packs.takes("file-" + i, 1));
      nanos += MAX_AGE.dividedBy(3).toNanos() + 1;
    }
  }

  @Test
  void isTurnedOnByManyFilesOfWhichThereIsSomethingToSay() {
    for (int i = 0; i < 15; i++) {
      assertFalse(packs.tells("file-" + i));
      assertFalse(packs.tells("file-" + i), "the same file counts once");
    }
    assertFalse(packs.takes("a", 1), "what is said of files is no short segment");
    assertTrue(packs.tells("file-15"));
    assertTrue(packs.takes("a", 1), "for the rest of the run");
  }

  @Test
  void staysOffWhereLittleIsToldWithinMaxAge() {
    for (int i = 0; i < 100; i++) {
      assertFalse(packs.tells("file-" + i));
      nanos += MAX_AGE.dividedBy(15).toNanos() + 1;
    }
  }

  @Test
  void isNeverTurnedOnWhereNobodyMayUseIt() {
    PackSwitch never = new PackSwitch(PackUse.NEVER, MAX_AGE, () -> nanos);
    for (int i = 0; i < 100; i++) {
      assertFalse(never.takes("file-" + i, 1_000_000));
      assertFalse(never.tells("file-" + i));
    }
  }
}
