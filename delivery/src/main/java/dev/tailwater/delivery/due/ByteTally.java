package dev.tailwater.delivery.due;

/**
 * A sum of numbers of bytes that are added and removed again. Sparse files may claim more bytes
 * than a {@code long} can count together, so it has two. Not thread-safe.
 */
final class ByteTally {
  private static final long LOWER = 0xFFFF_FFFFL;

  /** The sum is {@code upper * 2^32 + lower}. */
  private long upper;

  private long lower;

  void add(long bytes) {
    upper += bytes >>> Integer.SIZE;
    lower += bytes & LOWER;
  }

  /** Removes a number that was added. */
  void remove(long bytes) {
    upper -= bytes >>> Integer.SIZE;
    lower -= bytes & LOWER;
  }

  /** Returns the sum; {@link Long#MAX_VALUE} where it is larger. */
  long bytes() {
    long sumUpper = upper + (lower >> Integer.SIZE);
    return sumUpper > Integer.MAX_VALUE
        ? Long.MAX_VALUE
        : (sumUpper << Integer.SIZE) | (lower & LOWER);
  }
}
