package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A file is modelled as the kernel keeps it: a write sets the time, then the size. */
class InPlaceChangeTest {
  private static final long LONG = InPlaceChange.SETTLES_AFTER_NANOS;

  private InPlaceChange change = new InPlaceChange(OptionalLong.empty(), false, false);
  private long nowNanos;
  private long timeNanos = 1;
  private long sizeBytes;
  private long seenBytes;
  private boolean compared = true;
  private boolean uncomparedRest = true;

  private void look() {
    change.look(
        new InPlaceChange.Look(
            timeNanos, sizeBytes > seenBytes, seenBytes > 0, compared, uncomparedRest, nowNanos));
    seenBytes = sizeBytes;
  }

  private void pass(long nanos) {
    nowNanos += nanos;
  }

  private void beginWrite() {
    timeNanos++;
  }

  private void append() {
    beginWrite();
    sizeBytes++;
  }

  private void assertUnsuspected() {
    assertFalse(change.isConfirmed());
    assertFalse(change.isSuspected());
  }

  @Test
  void aNewTimeWithTheOldSizeIsAChangeWhenItStays() {
    append();
    look();
    assertUnsuspected();
    beginWrite();
    look();
    assertTrue(change.isSuspected());
    assertFalse(change.isConfirmed());
    pass(LONG);
    look();
    assertTrue(change.isConfirmed());
    assertFalse(change.isSuspected());
    append();
    look();
    assertTrue(change.isConfirmed(), "growth does not bring the old bytes back");
  }

  @Test
  void changesOneAfterTheOtherAreConfirmedToo() {
    append();
    look();
    for (int i = 0; i < 11; i++) {
      beginWrite();
      look();
      pass(LONG / 10);
    }
    assertTrue(change.isConfirmed());
  }

  @Test
  void anAppendThatIsMetHalfwayIsNone() {
    append();
    look();
    beginWrite();
    look();
    sizeBytes++;
    look();
    assertUnsuspected();
  }

  @Test
  void anAppendThatHangsForLongIsTakenBackWhenItGrows() {
    append();
    look();
    beginWrite();
    look();
    pass(LONG);
    look();
    assertTrue(change.isConfirmed());
    sizeBytes++;
    look();
    assertUnsuspected();
  }

  @Test
  void aChangeIsNotTakenBackForAnAppendThatIsMetHalfwayLater() {
    append();
    look();
    beginWrite();
    look();
    pass(LONG);
    look();
    append();
    look();
    beginWrite();
    look();
    sizeBytes++;
    look();
    assertTrue(change.isConfirmed());
  }

  @Test
  void nothingIsConfirmedBeforeItIsComparedForATruncation() {
    append();
    look();
    beginWrite();
    compared = false;
    look();
    pass(2 * LONG);
    look();
    assertFalse(change.isConfirmed());
    assertTrue(change.isSuspected());
    compared = true;
    look();
    assertTrue(change.isConfirmed());
  }

  @Test
  void aFileThatIsComparedAsAWholeHasNotChanged() {
    append();
    look();
    beginWrite();
    compared = false;
    look();
    assertTrue(change.isSuspected());
    compared = true;
    uncomparedRest = false;
    pass(LONG);
    look();
    assertUnsuspected();
  }

  @Test
  void whatAnEarlierRunKnewIsTheFirstLook() {
    change = new InPlaceChange(OptionalLong.of(7), false, false);
    sizeBytes = 1;
    seenBytes = 1;
    timeNanos = 8;
    look();
    assertTrue(change.isSuspected());
    assertEquals(OptionalLong.of(8), change.modificationTimeNanos());
  }

  @Test
  void aWriteInPlaceBeforeAnAppendMayHaveReplacedBytes() {
    append();
    look();
    beginWrite();
    look();
    append();
    look();
    assertUnsuspected();
    assertTrue(change.isPossible(), "it was seen, and the append does not explain it");
    change.settled();
    assertFalse(change.isPossible());
  }

  @Test
  void anAppendThatIsMetHalfwayReplacedNothing() {
    append();
    look();
    beginWrite();
    look();
    sizeBytes++;
    look();
    assertFalse(change.isPossible());
  }

  @Test
  void growthThatNobodyWatchedMayHideAWriteInPlace() {
    change = new InPlaceChange(OptionalLong.of(timeNanos), false, false).unwatched();
    look();
    assertFalse(change.isPossible(), "nothing happened");
    append();
    look();
    assertFalse(change.isPossible(), "it is watched from then on");
    change = new InPlaceChange(OptionalLong.of(timeNanos), false, false).unwatched();
    append();
    look();
    assertTrue(change.isPossible());
  }

  @Test
  void whatAnEarlierRunCouldNotExplainStaysPossible() {
    change = new InPlaceChange(OptionalLong.of(timeNanos), false, true);
    look();
    assertTrue(change.isPossible());
  }

  @Test
  void appendsAloneNeverMakeAChangeHoweverTheyAreMet() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      change = new InPlaceChange(OptionalLong.empty(), false, false);
      seenBytes = 0;
      sizeBytes = 0;
      boolean writing = false;
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            // A write sets one time, and size after size.
            if (!writing) {
              beginWrite();
            }
            writing = true;
          }
          case 1 -> {
            if (writing) {
              sizeBytes++;
              writing = random.nextBoolean();
            }
          }
          case 2 -> pass(writing ? LONG / 1_000 : random.nextLong(2 * LONG));
          default -> look();
        }
      }
      if (writing) {
        sizeBytes++;
      }
      look();
      assertUnsuspected();
    }
  }
}
