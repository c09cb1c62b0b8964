package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnChecksumTest {
  private final Random random = new Random(5);

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns bytes, then their checksum, then others. */
  private byte[] withChecksum(Checksum checksum, int before, int behind) {
    byte[] first = bytes(before);
    checksum.update(first);
    return ByteBuffer.allocate(before + 4 + behind)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(first)
        .putInt((int) checksum.getValue())
        .put(bytes(behind))
        .array();
  }

  /** Takes the bytes in, in pieces of any length. */
  private boolean isFound(byte[] bytes) {
    OwnChecksum own = new OwnChecksum();
    for (int from = 0; from < bytes.length; ) {
      int length = Math.min(bytes.length - from, 1 + random.nextInt(700));
      own.update(bytes, from, length);
      from += length;
    }
    return own.isFound();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 288, 4_000})
  void findsAChecksumBehindAnyBytes(int before) {
    for (int behind : new int[] {0, 1, 7_900}) {
      assertEquals(true, isFound(withChecksum(new CRC32C(), before, behind)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 288, 4_000})
  void findsNoneInOtherBytes(int before) {
    assertEquals(false, isFound(bytes(before)));
    assertEquals(false, isFound(new byte[before]));
    assertEquals(false, isFound(withChecksum(new CRC32(), before, 100)));
  }
}
