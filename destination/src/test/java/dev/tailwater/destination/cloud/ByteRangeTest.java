package dev.tailwater.destination.cloud;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.TransientDestinationException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests of which answers have all of the range that was asked for. */
class ByteRangeTest {
  private static StoredObject.Found answer(int lengthBytes, OptionalLong told, String range) {
    return new StoredObject.Found(
        new ByteArrayInputStream(new byte[lengthBytes]), () -> {}, told, Optional.of(range));
  }

  private static boolean isAnswered(long offsetBytes, long lengthBytes, String range) {
    return new ByteRange(offsetBytes, lengthBytes)
        .isAnsweredBy(answer(0, OptionalLong.empty(), range));
  }

  @Test
  void anAnswerEndsWhereTheRangeOrTheObjectEnds() {
    assertTrue(isAnswered(5, 10, "bytes 5-14/100"));
    assertTrue(isAnswered(5, 10, "bytes 5-9/10"));
    assertTrue(isAnswered(5, 10, "bytes 5-14/*"));
    assertTrue(isAnswered(5, Long.MAX_VALUE, "bytes 5-99/100"));
    assertTrue(isAnswered(0, Long.MAX_VALUE, "bytes 0-99/100"));
  }

  @Test
  void anAnswerThatEndsEarlyIsNoneToTheRange() {
    assertFalse(isAnswered(5, 10, "bytes 5-13/100"));
    assertFalse(isAnswered(5, 10, "bytes 5-8/10"));
    assertFalse(isAnswered(5, 10, "bytes 5-13/*"));
    assertFalse(isAnswered(5, Long.MAX_VALUE, "bytes 5-98/100"));
    assertFalse(isAnswered(0, Long.MAX_VALUE, "bytes 0-98/100"));
  }

  @Test
  void anotherRangeIsNoAnswer() {
    for (String range :
        new String[] {
          "bytes 4-14/100", "bytes 5-15/100", "bytes */100", "bytes 5-", "lines 5-14/100"
        }) {
      assertFalse(isAnswered(5, 10, range), range);
    }
  }

  @Test
  void aBodyIsAsLongAsItsRangeThoughNoLengthIsSent() throws IOException {
    for (int lengthBytes : new int[] {9, 11}) {
      StoredObject.Found answer = answer(lengthBytes, OptionalLong.empty(), "bytes 5-14/15");
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, () -> read(answer));
      assertTrue(e.reason().contains(lengthBytes < 10 ? "1 bytes early" : "longer"), e.reason());
    }
    assertEquals(10, read(answer(10, OptionalLong.empty(), "bytes 5-14/15")));
  }

  private static int read(StoredObject.Found answer) throws IOException {
    URI uri = URI.create("s3://bucket/prefix");
    TimeLimits limits = TimeLimits.STANDARD;
    try (InputStream body =
        new ObjectBody(answer, uri, "key", Long.MAX_VALUE, limits, System::nanoTime)) {
      return body.readAllBytes().length;
    }
  }
}
