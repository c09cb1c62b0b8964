package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SavedSumsTest {
  private static final int RUNS = 200;

  private static void assertSame(SavedSums expected, SavedSums actual) {
    assertEquals(expected.durableBytes(), actual.durableBytes());
    assertEquals(expected.count(), actual.count());
    for (int i = 0; i < expected.count(); i++) {
      assertEquals(expected.isKnown(i), actual.isKnown(i));
      assertEquals(
          expected.isKnown(i) ? expected.sum(i) : 0, actual.isKnown(i) ? actual.sum(i) : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 99, 100})
  void whatIsSavedIsReadAgainHoweverMuchOfItIsZeros(int zerosPercent) {
    Random random = new Random(zerosPercent);
    for (int run = 0; run < RUNS; run++) {
      SavedSums saved = new SavedSums(random.nextLong(), random.nextInt(1025));
      int unknownPercent = random.nextInt(3) * 50;
      for (int i = 0; i < saved.count(); i++) {
        if (random.nextInt(100) >= unknownPercent) {
          boolean zeros = random.nextInt(100) < zerosPercent;
          saved.set(i, zeros ? BlockRun.ZERO_BLOCK : random.nextLong());
        }
      }
      byte[] value = saved.encode();
      assertSame(saved, SavedSums.decode(value));
      for (int cut = 0; cut < value.length; cut += 1 + random.nextInt(100)) {
        SavedSums part = SavedSums.decode(Arrays.copyOf(value, cut));
        assertTrue(part.count() == 0 || part.count() == saved.count());
      }
    }
  }

  @Test
  void whatEarlierVersionsHaveSavedIsRead() {
    ByteBuffer value = ByteBuffer.allocate(12 + 3 * 8 + 1);
    value.putLong(3L * BlockSums.BLOCK_BYTES).putInt(3);
    value.putLong(7).putLong(0).putLong(BlockRun.ZERO_BLOCK).put((byte) 0b101);
    SavedSums expected = new SavedSums(3L * BlockSums.BLOCK_BYTES, 3);
    expected.set(0, 7);
    expected.set(2, BlockRun.ZERO_BLOCK);
    assertSame(expected, SavedSums.decode(value.array()));
  }

  @Test
  void withoutZerosTheFormIsTheOneThatEarlierVersionsRead() {
    SavedSums saved = new SavedSums(100, 1);
    saved.set(0, 7);
    byte[] expected =
        ByteBuffer.allocate(21).putLong(100).putInt(1).putLong(7).put((byte) 1).array();
    assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(saved.encode()));
  }

  @Test
  void whatClaimsMoreBlocksThanThereAreTogetherIsUnknown() {
    for (int count : new int[] {1025, Integer.MAX_VALUE, Integer.MIN_VALUE, ~1025}) {
      byte[] value = ByteBuffer.allocate(100).putLong(1).putInt(count).array();
      assertEquals(0, SavedSums.decode(value).count());
    }
  }
}
