package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ByteSumTest {
  @Test
  void addsUpToTheLargestNumber() {
    assertEquals(0, ByteSum.of(0, 0));
    assertEquals(5, ByteSum.of(2, 3));
    assertEquals(Long.MAX_VALUE, ByteSum.of(Long.MAX_VALUE - 1, 1));
    assertEquals(Long.MAX_VALUE, ByteSum.of(Long.MAX_VALUE, 1));
    assertEquals(Long.MAX_VALUE, ByteSum.of(Long.MAX_VALUE, Long.MAX_VALUE));
  }
}
