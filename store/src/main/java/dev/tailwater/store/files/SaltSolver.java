package dev.tailwater.store.files;

import java.util.zip.CRC32C;

/**
 * Recovers a salt with which the headers in a file can be verified when the file's own header is
 * gone.
 *
 * <p>CRC-32C is linear: with two salts, the checksums of a header differ by a number that depends
 * on nothing but the salts. So one header tells which salts fit all of them; exactly one of those
 * is below 2^32. It does not tell whether the bytes were a header at all: any bytes have such a
 * salt.
 */
public final class SaltSolver {
  private SaltSolver() {}

  /**
   * Returns the salt.
   *
   * @param checked what the checksum covers, with room for the salt in the first 8 bytes
   * @param checksum what it is to be
   */
  public static long solve(byte[] checked, int checksum) {
    byte[] bytes = checked.clone();
    int without = with(bytes, 0);
    // Gauss: what each bit of the salt changes, until each changes one bit of the checksum.
    int[] changes = new int[Integer.SIZE];
    int[] salts = new int[Integer.SIZE];
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      salts[bit] = 1 << bit;
      changes[bit] = with(bytes, salts[bit]) ^ without;
    }
    for (int row = 0; row < Integer.SIZE; row++) {
      int pivot = row;
      while ((changes[pivot] & 1 << row) == 0) {
        pivot++; // there is one: 4 bytes of a CRC can be chosen to give any checksum
      }
      swap(changes, row, pivot);
      swap(salts, row, pivot);
      for (int other = 0; other < Integer.SIZE; other++) {
        if (other != row && (changes[other] & 1 << row) != 0) {
          changes[other] ^= changes[row];
          salts[other] ^= salts[row];
        }
      }
    }
    int salt = 0;
    int wanted = checksum ^ without;
    for (int row = 0; row < Integer.SIZE; row++) {
      if ((wanted & 1 << row) != 0) {
        salt ^= salts[row];
      }
    }
    return Integer.toUnsignedLong(salt);
  }

  private static int with(byte[] bytes, int salt) {
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (i < Integer.BYTES ? salt >>> (Byte.SIZE * i) : 0);
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  private static void swap(int[] numbers, int one, int other) {
    int kept = numbers[one];
    numbers[one] = numbers[other];
    numbers[other] = kept;
  }
}
