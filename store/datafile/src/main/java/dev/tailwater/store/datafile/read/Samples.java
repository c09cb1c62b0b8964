package dev.tailwater.store.datafile.read;

/**
 * Picks the mapped reads of a thread that are timed and offered to the cache: one after each 1 to
 * {@value #MOST} reads, at random, so that alternating reads of hot and cold keys are both sampled.
 * Counts the reads too.
 */
final class Samples {
  private static final int MOST = 32;

  /**
   * The multiplier of a linear congruential generator of full period; its highest bits are the
   * best.
   */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private long state = System.identityHashCode(this);
  private int series = 1;
  private int left = 1;

  /** Returns whether the next read is a sample. */
  boolean isNext() {
    return left == 1;
  }

  /** Counts a read that is not a sample. */
  void readOther() {
    left--;
  }

  /** Counts a sample; returns the number of reads since the last one, including this. */
  int readSample() {
    int reads = series;
    state = state * MULTIPLIER + 1;
    series = 1 + (int) (state >>> (Long.SIZE - Integer.numberOfTrailingZeros(MOST)));
    left = series;
    return reads;
  }

  /** Returns the reads since the last sample; approximate when called by another thread. */
  int uncounted() {
    return series - left;
  }
}
