package dev.tailwater.archive.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplacedBytesTest {
  private static final int LENGTH = 60;

  /** Compares with an array that has the time of each byte. */
  @Test
  void tellsOfEachByteWhenItWasReplacedFirst() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ReplacedBytes replaced = new ReplacedBytes();
      long[] first = new long[LENGTH];
      Arrays.fill(first, Long.MAX_VALUE);
      for (int i = 0; i < 12; i++) {
        ByteRange range = range(random);
        long atMillis = random.nextInt(9);
        replaced.add(range, atMillis);
        for (long at = range.startBytes(); at < range.endBytes(); at++) {
          first[(int) at] = Math.min(first[(int) at], atMillis);
        }
        check(replaced, range(random), first, seed);
      }
    }
  }

  private static ByteRange range(Random random) {
    int start = random.nextInt(LENGTH);
    return new ByteRange(start, start + 1 + random.nextInt(LENGTH - start));
  }

  private static void check(ReplacedBytes replaced, ByteRange range, long[] first, int seed) {
    long at = range.startBytes();
    for (ReplacedBytes.Split split : replaced.split(range)) {
      assertEquals(at, split.range().startBytes(), "seed " + seed);
      for (; at < split.range().endBytes(); at++) {
        assertEquals(
            first[(int) at], split.replacedAtMillis().orElse(Long.MAX_VALUE), "seed " + seed);
      }
    }
    assertEquals(range.endBytes(), at, "seed " + seed);
  }
}
