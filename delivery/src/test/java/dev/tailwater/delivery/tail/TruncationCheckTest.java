package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TruncationCheckTest {
  private final TruncationCheck check = new TruncationCheck();

  @Test
  void aSuspicionLastsUntilTheBytesAreFoundUnchanged() {
    check.suspect(true);
    assertTrue(check.isPending());
    check.begin();
    assertTrue(check.isPending(), "a worker has it");
    check.confirm(10);
    assertFalse(check.isPending());
  }

  @Test
  void growthEndsASuspicionThatNobodyHasTakenUp() {
    check.suspect(true);
    check.suspect(false);
    assertFalse(check.isPending());
  }

  @Test
  void aSuspicionThatComesUpWhileAWorkerComparesIsANewOne() {
    check.suspect(true);
    check.begin();
    check.suspect(true);
    check.confirm(10);
    assertTrue(check.isPending());
  }

  @Test
  void noComparisonMakesUpForATruncation() {
    check.shrunk();
    check.begin();
    check.confirm(10);
    assertTrue(check.isPending());
    assertTrue(check.isShrunk());
  }

  @Test
  void aStreamThatWasSeenToShrinkHadTheLargestSizeThatWasSeen() {
    check.confirm(10);
    check.shrunk();
    assertEquals(14, check.sizeBeforeBytes(8, 14));
  }

  @Test
  void sizesAfterATruncationThatNobodyNoticedBelongToTheNextStream() {
    check.confirm(10);
    assertEquals(10, check.sizeBeforeBytes(8, 14));
  }

  @Test
  void nothingOfAnOverwrittenFileEndedBehindThePosition() {
    check.confirm(14);
    assertEquals(8, check.sizeBeforeBytes(8, 14));
  }

  @Test
  void theNextStreamHasTheLargestSizeSinceItWasLookedFor() {
    check.seen(100);
    check.lookForNextStream();
    check.seen(20);
    check.seen(5);
    assertEquals(20, check.beginStream(5));
  }

  @Test
  void nothingIsKnownOfTheNextStream() {
    check.shrunk();
    check.suspect(true);
    check.begin();
    check.confirm(10);
    check.beginStream(5);
    assertFalse(check.isPending());
    assertFalse(check.isShrunk());
    assertEquals(3, check.sizeBeforeBytes(3, 5), "no size is confirmed");
  }
}
