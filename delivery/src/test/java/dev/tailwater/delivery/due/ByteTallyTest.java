package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteTallyTest {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  @Test
  void sumsAreExactUpToTheLargestNumberAndStayThere() {
    Random random = new Random(1);
    ByteTally tally = new ByteTally();
    List<Long> added = new ArrayList<>();
    BigInteger expected = BigInteger.ZERO;
    for (int step = 0; step < 10_000; step++) {
      if (added.isEmpty() || random.nextInt(5) < 2) {
        long bytes = random.nextLong() >>> (1 + random.nextInt(63));
        tally.add(bytes);
        added.add(bytes);
        expected = expected.add(BigInteger.valueOf(bytes));
      } else {
        long bytes = added.remove(random.nextInt(added.size()));
        tally.remove(bytes);
        expected = expected.subtract(BigInteger.valueOf(bytes));
      }
      assertEquals(expected.min(MOST).longValueExact(), tally.bytes());
    }
  }

  @Test
  void filesOfTheLargestSizeHideNoOther() {
    ByteTally tally = new ByteTally();
    tally.add(Long.MAX_VALUE);
    tally.add(Long.MAX_VALUE);
    tally.add(9);
    assertEquals(Long.MAX_VALUE, tally.bytes());
    tally.remove(Long.MAX_VALUE);
    tally.remove(Long.MAX_VALUE);
    assertEquals(9, tally.bytes());
  }
}
