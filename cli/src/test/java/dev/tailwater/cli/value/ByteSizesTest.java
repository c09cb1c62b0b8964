package dev.tailwater.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class ByteSizesTest {
  @Test
  void roundsAsFormatDoes() {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long bytes = random.nextLong(1024, 1L << random.nextInt(11, 50));
      double value = bytes;
      int unit = 0;
      while (value >= 1023.95) {
        value /= 1024;
        unit++;
      }
      String form = value < 100 ? "%.1f %siB" : "%.0f %siB";

      assertEquals(
          String.format(Locale.ROOT, form, value, "BKMGTP".charAt(unit)),
          ByteSizes.forPeople(bytes));
    }
  }

  @Test
  void writesSizesThatNoUnitMakesShort() {
    assertEquals("-1 B", ByteSizes.forPeople(-1));
    assertEquals(Long.MIN_VALUE + " B", ByteSizes.forPeople(Long.MIN_VALUE));
    assertEquals("8192 PiB", ByteSizes.forPeople(Long.MAX_VALUE));
  }

  @Test
  void readsWhatItWritesExactly() {
    for (long bytes : new long[] {0, 1, 1023, 1024, 65_536, 5 << 20, (5 << 20) + 1, 3L << 30}) {
      assertEquals(bytes, ByteSizes.parse(ByteSizes.format(bytes)));
    }
  }
}
