package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
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
  @ValueSource(ints = {3, 64, 70, 200, 5_000})
  void numbersAreWhatABitSetHas(int most) {
    Random random = new Random(most);
    NumberSet numbers = new NumberSet();
    BitSet expected = new BitSet();
    for (int step = 0; step < STEPS; step++) {
      int number = random.nextInt(most);
      int to = number + random.nextInt(2 + most / 16);
      switch (random.nextInt(5)) {
        case 0 -> {
          numbers.addRange(number, to);
          expected.set(number, to);
        }
        case 1 -> {
          numbers.add(number);
          expected.set(number);
        }
        case 2 -> {
          numbers.remove(number);
          expected.clear(number);
        }
        default -> {
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
  @ValueSource(ints = {3, 64, 200, 20_000})
  void sumsAreWhatAnArrayOfBlocksOfZerosHas(int most) {
    Random random = new Random(most);
    SumTable sums = new SumTable();
    long[] expected = new long[most];
    Arrays.fill(expected, BlockRun.ZERO_BLOCK);
    for (int step = 0; step < STEPS; step++) {
      int block = random.nextInt(most);
      expected[block] = random.nextBoolean() ? BlockRun.ZERO_BLOCK : random.nextLong();
      sums.set(block, expected[block]);
      int asked = random.nextInt(most);
      assertEquals(expected[asked], sums.get(asked));
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
