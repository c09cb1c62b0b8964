package dev.tailwater.store.datafile.read;

/**
 * Says which of one thread's mapped reads are samples, which are timed and shown to the cache:
 * after 1 to {@value #MOST} reads, in no order, or who reads in turns what is hot and what is not
 * might have only one of both in the samples. Counts the reads too.
 */
final class Samples {
  private static final int MOST = 32;

  /** Of a linear congruential generator of full period; its highest bits are the best. */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private long state = System.identityHashCode(this);
  private int series = 1;
  private int left = 1;

  /** Whether the next read is a sample. */
  boolean isNext() {
    return left == 1;
  }

  /** One was read that is none. */
  void readOther() {
    left--;
  }

  /** A sample was read; returns how many reads there were since the last one, with this one. */
  int readSample() {
    int reads = series;
    state = state * MULTIPLIER + 1;
    series = 1 + (int) (state >>> (Long.SIZE - Integer.numberOfTrailingZeros(MOST)));
    left = series;
    return reads;
  }

  /** Reads since the last sample. By another thread: about. */
  int uncounted() {
    return series - left;
  }
}
