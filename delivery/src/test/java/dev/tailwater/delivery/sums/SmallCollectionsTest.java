package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The collections that take little memory do what those of the JDK do. */
final class SmallCollectionsTest {
  private static final int STEPS = 2_000;

  @ParameterizedTest
  @ValueSource(ints = {3, 64, 70, 200})
  void numbersAreWhatABitSetHas(int most) {
    Random random = new Random(most);
    NumberSet numbers = new NumberSet();
    BitSet expected = new BitSet();
    for (int step = 0; step < STEPS; step++) {
      int number = random.nextInt(most);
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          numbers.add(number);
          expected.set(number);
        }
        case 2 -> {
          numbers.remove(number);
          expected.clear(number);
        }
        default -> {
          int to = number + random.nextInt(4);
          numbers.removeRange(number, to);
          expected.clear(number, to);
        }
      }
      int asked = random.nextInt(most + 5);
      assertEquals(expected.get(asked), numbers.contains(asked));
      assertEquals(expected.nextClearBit(asked), numbers.nextMissing(asked));
      assertEquals(expected.isEmpty(), numbers.isEmpty());
      assertArrayEquals(expected.stream().toArray(), numbers.toArray());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 20})
  void offsetsHaveTheChecksumsThatATreeHas(int most) {
    Random random = new Random(most);
    OffsetSums sums = new OffsetSums();
    TreeMap<Long, Long> expected = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      long offset = random.nextInt(most);
      if (random.nextInt(3) > 0) {
        sums.put(offset, step);
        expected.put(offset, (long) step);
      } else {
        sums.removeBelow(offset);
        expected.headMap(offset).clear();
      }
      for (long asked = 0; asked <= most; asked++) {
        Long sum = expected.get(asked);
        assertEquals(sum == null ? OptionalLong.empty() : OptionalLong.of(sum), sums.find(asked));
      }
    }
  }
}
