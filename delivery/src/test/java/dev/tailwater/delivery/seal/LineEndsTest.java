package dev.tailwater.delivery.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Where a block of lines is cut. */
class LineEndsTest {
  private static int lastLineEnd(String text, int from, int lengthBytes) {
    return LineEnds.lastLineEnd(text.getBytes(StandardCharsets.US_ASCII), from, lengthBytes);
  }

  @Test
  void isAfterTheLastNewlineOfTheBlock() {
    assertEquals(4, lastLineEnd("one\ntwo", 0, 7));
    assertEquals(8, lastLineEnd("one\ntwo\n", 0, 8));
    assertEquals(1, lastLineEnd("\n", 0, 1));
    assertEquals(0, lastLineEnd("one", 0, 3));
    assertEquals(0, lastLineEnd("", 0, 0));
  }

  @Test
  void isNotOutsideOfTheBlock() {
    assertEquals(0, lastLineEnd("\none\n", 1, 3));
    assertEquals(2, lastLineEnd("\na\nb\n", 1, 3));
  }

  @Test
  void isWithinTheLongestLineOfTheEnd() {
    byte[] bytes = new byte[2 * LineEnds.LONGEST_LINE_BYTES];
    bytes[LineEnds.LONGEST_LINE_BYTES - 1] = '\n';
    assertEquals(0, LineEnds.lastLineEnd(bytes, 0, bytes.length));
    bytes[LineEnds.LONGEST_LINE_BYTES] = '\n';
    assertEquals(LineEnds.LONGEST_LINE_BYTES + 1, LineEnds.lastLineEnd(bytes, 0, bytes.length));
  }
}
