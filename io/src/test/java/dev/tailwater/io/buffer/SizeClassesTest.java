package dev.tailwater.io.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SizeClassesTest {
  private static final long KIBIBYTE = 1 << 10;
  private static final long MEBIBYTE = 1 << 20;

  private final SizeClasses sizes = new SizeClasses(64 * MEBIBYTE, 4096);

  @Test
  void usualSizesWasteNothing() {
    for (long bytes : new long[] {4, 8, 16, 64, 256, 1024, 10 * 1024, 64 * 1024}) {
      assertEquals(bytes * KIBIBYTE, sizes.roundUp(bytes * KIBIBYTE));
    }
  }

  @Test
  void othersAreRoundedUpToAQuarterOfADoubling() {
    assertEquals(4096, sizes.roundUp(1));
    assertEquals(8192, sizes.roundUp(4097));
    assertEquals(40 * KIBIBYTE, sizes.roundUp(32 * KIBIBYTE + 1));
    assertEquals(48 * KIBIBYTE, sizes.roundUp(40 * KIBIBYTE + 1));
  }

  @Test
  void noSizeIsAboveTheBoundOrNoWholePage() {
    SizeClasses odd = new SizeClasses(64 * MEBIBYTE - 5, 4096);
    assertEquals(64 * MEBIBYTE - 4096, odd.largestBytes());
    assertEquals(odd.largestBytes(), odd.roundUp(60 * MEBIBYTE));
    assertEquals(65536, new SizeClasses(MEBIBYTE, 65536).roundUp(1));
  }

  @Test
  void theLargestSizesOfAnEndlessBoundDoNotOverflow() {
    SizeClasses endless = new SizeClasses(Long.MAX_VALUE, 4096);
    assertEquals(endless.largestBytes(), endless.roundUp(endless.largestBytes()));
    assertEquals(endless.largestBytes(), endless.roundUp((7L << 60) + 1));
    assertEquals(7L << 60, endless.roundUp(7L << 60));
    assertEquals(4096, endless.roundUp(1));
  }

  @Test
  void everyRequestFitsAndWastesLessThanAFifthOfItsPagesUp() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      long asked = 1 + random.nextLong(1L << (1 + random.nextInt(26)));
      long got = sizes.roundUp(asked);
      String what = "seed " + seed + ": " + asked + " became " + got;
      assertTrue(got >= asked && got % 4096 == 0 && got <= 64 * MEBIBYTE, what);
      assertTrue(got - asked < Math.max(4096, got / 5.0), what);
      assertEquals(got, sizes.roundUp(got), what);
    }
  }
}
