package dev.tailwater.delivery.sums;

import dev.tailwater.archive.CrcCombination;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The checksum of a part of a file: its CRC-32C and, in the upper half, its CRC-32. One CRC is not
 * enough: bytes that end with their own CRC always have the same one, whatever they are, and
 * programs write such files ({@code pg_control} of PostgreSQL with CRC-32C).
 */
final class BlockSum {
  private static final long LOWER = 0xFFFF_FFFFL;

  private BlockSum() {}

  static long of(byte[] bytes, int from, int lengthBytes) {
    CRC32C lower = new CRC32C();
    lower.update(bytes, from, lengthBytes);
    CRC32 upper = new CRC32();
    upper.update(bytes, from, lengthBytes);
    return both((int) upper.getValue(), (int) lower.getValue());
  }

  static long ofZeros(long lengthBytes) {
    return both(
        CrcCombination.CRC32.ofZeros(lengthBytes), CrcCombination.CRC32C.ofZeros(lengthBytes));
  }

  /** Returns the checksum of two parts that follow each other. */
  static long combine(long first, long second, long secondBytes) {
    return both(
        CrcCombination.CRC32.combine(upper(first), upper(second), secondBytes),
        CrcCombination.CRC32C.combine((int) first, (int) second, secondBytes));
  }

  private static int upper(long sum) {
    return (int) (sum >>> Integer.SIZE);
  }

  private static long both(int upper, int lower) {
    return ((long) upper << Integer.SIZE) | (lower & LOWER);
  }
}
