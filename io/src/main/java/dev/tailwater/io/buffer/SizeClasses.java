package dev.tailwater.io.buffer;

/**
 * The sizes that buffers really have, so that one that was released fits the next request: four in
 * each doubling (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80 KiB ...), all of them whole
 * pages. A request of more than four pages wastes less than a fifth of what it gets, and one of 4 ×
 * 2ⁿ, 5 × 2ⁿ, 6 × 2ⁿ or 7 × 2ⁿ KiB (n ≥ 2) nothing.
 */
final class SizeClasses {
  static final long SMALLEST_BYTES = 4096;
  private static final int STEPS_SHIFT = 2;

  private final long largestBytes;
  private final long pageBytes;

  /**
   * @param boundBytes no size is larger than that
   * @param pageBytes a power of two
   */
  SizeClasses(long boundBytes, long pageBytes) {
    this.pageBytes = pageBytes;
    this.largestBytes = boundBytes & -pageBytes;
  }

  /** The largest request that there is a size for. */
  long largestBytes() {
    return largestBytes;
  }

  /** The smallest size that holds so many bytes: 1 to {@link #largestBytes()}. */
  long roundUp(long sizeBytes) {
    long step = Math.max(pageBytes, Long.highestOneBit(sizeBytes - 1) >> STEPS_SHIFT);
    long rounded = (sizeBytes + step - 1) & -step;
    boolean overflown = rounded < 0;
    return overflown ? largestBytes : Math.min(largestBytes, rounded);
  }
}
