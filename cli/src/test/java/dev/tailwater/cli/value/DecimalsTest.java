package dev.tailwater.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class DecimalsTest {
  private static String written(long number) {
    byte[] target = new byte[Decimals.MAX_LENGTH + 2];
    int end = Decimals.write(number, target, 2);
    return new String(target, 2, end - 2, StandardCharsets.US_ASCII);
  }

  @Test
  void writesWhereDigitsAreAddedAndAtBothEnds() {
    for (long power = 1; power < Long.MAX_VALUE / 10; power *= 10) {
      assertEquals(Long.toString(power - 1), written(power - 1));
      assertEquals(Long.toString(power), written(power));
      assertEquals(Long.toString(-power), written(-power));
    }
    assertEquals(Long.toString(Long.MAX_VALUE), written(Long.MAX_VALUE));
    assertEquals(Long.toString(Long.MIN_VALUE), written(Long.MIN_VALUE));
  }

  @Test
  void writesWhatLongWrites() {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      assertEquals(Long.toString(number), written(number));
    }
  }
}
