package dev.tailwater.archive;

/**
 * Computation of the CRC of two concatenated byte strings from the CRC of each. Appending n zero
 * bits multiplies a CRC by xⁿ, modulo the polynomial. (This is {@code crc32_combine} of zlib, for
 * any polynomial of degree 32 whose CRC has its bits reversed and inverted.)
 */
public final class CrcCombination {
  /** Of CRC-32, as {@link java.util.zip.CRC32} computes it. */
  public static final CrcCombination CRC32 = new CrcCombination(0xEDB88320, 0xD202EF8D);

  /** Of CRC-32C, as {@link java.util.zip.CRC32C} computes it. */
  public static final CrcCombination CRC32C = new CrcCombination(0x82F63B78, 0x527D5351);

  private static final int ONE = 1 << 31;
  private static final int BITS_OF_BYTE = 3;

  /** The polynomial with reversed bits. */
  private final int polynomial;

  private final int ofOneZero;

  /** The element at k is x to the power of 2 to the power of k. */
  private final int[] powers = new int[Long.SIZE + BITS_OF_BYTE];

  private CrcCombination(int polynomial, int ofOneZero) {
    this.polynomial = polynomial;
    this.ofOneZero = ofOneZero;
    powers[0] = ONE >>> 1;
    for (int k = 1; k < powers.length; k++) {
      powers[k] = product(powers[k - 1], powers[k - 1]);
    }
  }

  /**
   * Returns the CRC of a byte string from the checksums of its two parts.
   *
   * @param first the CRC of the first part
   * @param second the CRC of the second part
   * @param secondBytes the length of the second part, 0 or more
   */
  public int combine(int first, int second, long secondBytes) {
    if (secondBytes < 0) {
      throw new IllegalArgumentException(secondBytes + " bytes");
    }
    int crc = first;
    int k = BITS_OF_BYTE;
    for (long rest = secondBytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        crc = product(powers[k], crc);
      }
      k++;
    }
    return crc ^ second;
  }

  /** Returns the CRC of this many zero bytes, 0 or more. */
  public int ofZeros(long lengthBytes) {
    int crc = 0;
    for (int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(lengthBytes); bit >= 0; bit--) {
      long half = lengthBytes >>> (bit + 1);
      crc = combine(crc, crc, half);
      if ((lengthBytes >>> bit & 1) != 0) {
        crc = combine(crc, ofOneZero, 1);
      }
    }
    return crc;
  }

  /** Returns the product of two polynomials, whose highest bit is that of x⁰. */
  private int product(int one, int other) {
    int product = 0;
    int shifted = other;
    for (int rest = one; rest != 0; rest <<= 1) {
      if (rest < 0) {
        product ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
    }
    return product;
  }
}
