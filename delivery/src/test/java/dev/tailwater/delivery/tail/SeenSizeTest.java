package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SeenSizeTest {
  private final SeenSize seen = new SeenSize(10, 0);

  @Test
  void whatIsReadWasSeenAndIsNotUnread() {
    assertEquals(10, seen.bytes());
    assertEquals(0, seen.unreadBytes(10));
    assertEquals(OptionalLong.empty(), seen.unreadSinceNanos());
  }

  @Test
  void theOldestUnreadByteIsAsOldAsTheFirstLookThatMetOne() {
    seen.seen(12, true, 5);
    seen.unreadSeen(10, 5);
    seen.seen(14, true, 9);
    seen.unreadSeen(10, 9);
    assertEquals(4, seen.unreadBytes(10));
    assertEquals(OptionalLong.of(5), seen.unreadSinceNanos());
  }

  @Test
  void whereReadingStoppedEarlyTheOldestUnreadByteIsAsOldAsBefore() {
    seen.seen(14, true, 5);
    seen.unreadSeen(10, 5);
    seen.readTo(12);
    assertEquals(OptionalLong.of(5), seen.unreadSinceNanos());
    seen.readTo(14);
    assertEquals(OptionalLong.empty(), seen.unreadSinceNanos());
  }

  @Test
  void whatIsUnreadAfterAllThatWasThereWasReadIsYoungerThanThat() {
    seen.seen(12, true, 5);
    seen.unreadSeen(10, 5);
    seen.seen(14, true, 9);
    seen.readAllOf(7, 12);
    assertEquals(OptionalLong.of(7), seen.unreadSinceNanos());
    seen.readAllOf(9, 14);
    assertEquals(OptionalLong.empty(), seen.unreadSinceNanos());
  }

  @Test
  void readingBeyondTheLastSizeShowsThatTheFileIsLarger() {
    seen.readAllOf(7, 15);
    assertEquals(15, seen.bytes());
    assertEquals(0, seen.unreadBytes(15));
  }

  @Test
  void aWriteInPlaceIsAChangeAndNoGrowth() {
    seen.seen(12, true, 5);
    seen.seen(12, true, 8);
    seen.seen(12, false, 9);
    assertEquals(5, seen.lastGrowthNanos());
    assertEquals(8, seen.lastChangeNanos());
  }

  @Test
  void onlyALookThatBeganLaterIsOneAfterATime() {
    assertFalse(seen.wasLookedAtAfter(Long.MIN_VALUE));
    seen.lookedAt(5);
    assertTrue(seen.wasLookedAtAfter(4));
    assertFalse(seen.wasLookedAtAfter(5));
  }

  @Test
  void theUnreadBytesOfTheNextStreamAreTakenForAsOldAsThoseBefore() {
    seen.seen(12, true, 5);
    seen.unreadSeen(10, 5);
    seen.beginStream(3);
    assertEquals(3, seen.unreadBytes(0));
    assertEquals(OptionalLong.of(5), seen.unreadSinceNanos());
    seen.beginStream(0);
    assertEquals(OptionalLong.empty(), seen.unreadSinceNanos());
  }

  @Test
  void whatTheDestinationHasDoesNotMakeLaterBytesOlder() {
    seen.seen(14, true, 5);
    seen.unreadSeen(10, 5);
    seen.heldTo(14, 0);
    assertEquals(OptionalLong.empty(), seen.unreadSinceNanos());
    seen.seen(16, true, 9);
    seen.unreadSeen(14, 9);
    assertEquals(OptionalLong.of(9), seen.unreadSinceNanos());
    seen.readTo(14);
    assertEquals(OptionalLong.of(9), seen.unreadSinceNanos());
  }

  @Test
  void ofWhatTheDestinationLacksTheOldestByteIsAsOldAsBefore() {
    seen.seen(14, true, 5);
    seen.unreadSeen(10, 5);
    seen.heldTo(12, 0);
    assertEquals(OptionalLong.of(5), seen.unreadSinceNanos());
  }

  @Test
  void ifTheDestinationHasAnotherFileTheBytesAreUnreadSinceTheyWereSeen() {
    seen.seen(14, true, 5);
    seen.unreadSeen(10, 5);
    seen.heldTo(14, 0);
    seen.seen(16, true, 9);
    seen.unreadSeen(14, 9);
    seen.beginStream(16);
    assertEquals(OptionalLong.of(5), seen.unreadSinceNanos());
  }
}
