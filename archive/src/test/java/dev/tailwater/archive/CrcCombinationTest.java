package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;

/** The checksum of two parts is that of the whole. */
class CrcCombinationTest {
  private static int of(Checksum checksum, byte[] bytes, int from, int lengthBytes) {
    checksum.reset();
    checksum.update(bytes, from, lengthBytes);
    return (int) checksum.getValue();
  }

  private static void assertCombines(CrcCombination combination, Checksum checksum) {
    Random random = new Random(1);
    byte[] bytes = new byte[10_000];
    for (int round = 0; round < 500; round++) {
      random.nextBytes(bytes);
      int first = random.nextInt(bytes.length);
      int second = random.nextInt(bytes.length - first);
      assertEquals(
          of(checksum, bytes, 0, first + second),
          combination.combine(
              of(checksum, bytes, 0, first), of(checksum, bytes, first, second), second));
    }
    byte[] zeros = new byte[3_000];
    for (int length = 0; length < zeros.length; length += 1 + length / 7) {
      assertEquals(of(checksum, zeros, 0, length), combination.ofZeros(length));
    }
  }

  @Test
  void combinesCrc32() {
    assertCombines(CrcCombination.CRC32, new CRC32());
  }

  @Test
  void combinesCrc32c() {
    assertCombines(CrcCombination.CRC32C, new CRC32C());
  }

  @Test
  void combinesPartsOfAnyLength() {
    long half = 3L << 40;
    CrcCombination crc = CrcCombination.CRC32C;
    assertEquals(crc.ofZeros(2 * half), crc.combine(crc.ofZeros(half), crc.ofZeros(half), half));
    assertThrows(IllegalArgumentException.class, () -> crc.combine(1, 2, -1));
  }
}
