package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ByteRangeTest {
  @Test
  void refusesNegativeOffsetsAndEndsBeforeStarts() {
    assertThrows(IllegalArgumentException.class, () -> new ByteRange(-1, 5));
    assertThrows(IllegalArgumentException.class, () -> new ByteRange(5, 4));
    assertTrue(new ByteRange(5, 5).isEmpty());
    assertEquals(Long.MAX_VALUE, new ByteRange(0, Long.MAX_VALUE).lengthBytes());
  }

  @Test
  void touchingRangesDoNotOverlap() {
    ByteRange range = new ByteRange(10, 20);
    assertFalse(range.overlaps(new ByteRange(20, 30)));
    assertFalse(range.overlaps(new ByteRange(0, 10)));
    assertFalse(range.overlaps(new ByteRange(15, 15)));
    assertTrue(range.overlaps(new ByteRange(19, 30)));
    assertTrue(range.contains(new ByteRange(10, 20)));
    assertFalse(range.contains(new ByteRange(10, 21)));
  }

  @Test
  void sortsByStartThenEnd() {
    assertTrue(new ByteRange(1, 9).compareTo(new ByteRange(2, 3)) < 0);
    assertTrue(new ByteRange(1, 9).compareTo(new ByteRange(1, 3)) > 0);
    assertEquals("[1, 9)", new ByteRange(1, 9).toString());
  }
}
