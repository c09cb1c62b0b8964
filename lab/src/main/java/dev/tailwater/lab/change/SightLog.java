package dev.tailwater.lab.change;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When files were written, and when a watcher knew of it. What counts is the first write that the
 * watcher did not know of yet; one report answers for all until then. The writer and the watcher
 * call it from a thread each.
 */
final class SightLog {
  private static final int MAX_SAMPLES = 8_192;
  private static final long NOTHING = 0;

  private final AtomicLongArray unseenSinceNanos;
  private final SplittableRandom random = new SplittableRandom(1);
  private final long[] latenciesNanos = new long[MAX_SAMPLES];
  private long seen;

  SightLog(int files) {
    unseenSinceNanos = new AtomicLongArray(files);
  }

  /** A file is written next. */
  void writing(int file, long nowNanos) {
    if (unseenSinceNanos.get(file) == NOTHING) {
      unseenSinceNanos.set(file, nowNanos == NOTHING ? 1 : nowNanos);
    }
  }

  /** The watcher knows that a file has changed. */
  void seen(int file, long nowNanos) {
    long since = unseenSinceNanos.getAndSet(file, NOTHING);
    if (since != NOTHING) {
      add(nowNanos - since);
    }
  }

  /** Keeps each with the same probability, when there are more than there is room for. */
  private synchronized void add(long latencyNanos) {
    long place = seen < MAX_SAMPLES ? seen : random.nextLong(seen + 1);
    if (place < MAX_SAMPLES) {
      latenciesNanos[(int) place] = latencyNanos;
    }
    seen++;
  }

  /** From now on it counts. */
  synchronized void begin() {
    seen = 0;
  }

  /** Changes that were seen since {@link #begin}. */
  synchronized long count() {
    return seen;
  }

  /**
   * The time until a change was seen that this part of them did not exceed.
   *
   * @param part 0.5 for the median
   * @return milliseconds; NaN when none was seen
   */
  synchronized double latencyMillis(double part) {
    int kept = (int) Math.min(seen, MAX_SAMPLES);
    if (kept == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(latenciesNanos, kept);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(kept - 1, Math.floor(part * kept))] / 1e6;
  }
}
