package dev.tailwater.archive;

/** Computation of the CRC-32C of two concatenated byte strings from the CRC-32C of each. */
public final class Crc32cCombination {
  private Crc32cCombination() {}

  /**
   * Returns the CRC-32C of a byte string from the checksums of its two parts.
   *
   * @param first the CRC-32C of the first part
   * @param second the CRC-32C of the second part
   * @param secondBytes the length of the second part, 0 or more
   */
  public static int combine(int first, int second, long secondBytes) {
    return CrcCombination.CRC32C.combine(first, second, secondBytes);
  }

  /** Returns the CRC-32C of this many zero bytes, 0 or more. */
  public static int ofZeros(long lengthBytes) {
    return CrcCombination.CRC32C.ofZeros(lengthBytes);
  }
}
