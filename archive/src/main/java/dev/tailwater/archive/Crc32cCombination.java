package dev.tailwater.archive;

/**
 * Computation of the CRC-32C of two concatenated byte strings from the CRC-32C of each. A CRC is
 * linear over GF(2), so appending a zero bit is a multiplication by a 32 × 32 matrix. Squaring that
 * matrix n times gives the matrix that appends 2ⁿ zero bits. (This is Mark Adler's {@code
 * crc32_combine} of zlib, for the Castagnoli polynomial.)
 */
public final class Crc32cCombination {
  /** The Castagnoli polynomial with reversed bits. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int OF_ONE_ZERO = 0x527D5351;

  private Crc32cCombination() {}

  /**
   * Returns the CRC-32C of a byte string from the checksums of its two parts.
   *
   * @param first the CRC-32C of the first part
   * @param second the CRC-32C of the second part
   * @param secondBytes the length of the second part, 0 or more
   */
  public static int combine(int first, int second, long secondBytes) {
    if (secondBytes < 0) {
      throw new IllegalArgumentException(secondBytes + " bytes");
    }
    int[] operator = oneZeroBit();
    // Squaring three times gives the matrix for 2, 4, then 8 zero bits: one byte.
    for (int i = 0; i < 3; i++) {
      operator = squared(operator);
    }
    int crc = first;
    for (long rest = secondBytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        crc = applied(operator, crc);
      }
      if (rest > 1) {
        operator = squared(operator);
      }
    }
    return crc ^ second;
  }

  /** Returns the CRC-32C of this many zero bytes, 0 or more. */
  public static int ofZeros(long lengthBytes) {
    int crc = 0;
    for (int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(lengthBytes); bit >= 0; bit--) {
      long half = lengthBytes >>> (bit + 1);
      crc = combine(crc, crc, half);
      if ((lengthBytes >>> bit & 1) != 0) {
        crc = combine(crc, OF_ONE_ZERO, 1);
      }
    }
    return crc;
  }

  /** Returns the matrix, by columns, that appends a zero bit. */
  private static int[] oneZeroBit() {
    int[] matrix = new int[Integer.SIZE];
    matrix[0] = POLYNOMIAL;
    for (int column = 1; column < Integer.SIZE; column++) {
      matrix[column] = 1 << (column - 1);
    }
    return matrix;
  }

  private static int applied(int[] matrix, int vector) {
    int result = 0;
    for (int rest = vector, column = 0; rest != 0; rest >>>= 1, column++) {
      if ((rest & 1) != 0) {
        result ^= matrix[column];
      }
    }
    return result;
  }

  private static int[] squared(int[] matrix) {
    int[] square = new int[Integer.SIZE];
    for (int column = 0; column < Integer.SIZE; column++) {
      square[column] = applied(matrix, matrix[column]);
    }
    return square;
  }
}
