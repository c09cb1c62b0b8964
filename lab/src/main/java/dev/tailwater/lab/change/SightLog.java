package dev.tailwater.lab.change;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latencies from writes to files until a watcher reported them. A latency starts at the first
 * write that was not reported yet; one report answers all writes before it. The writer and the
 * watcher each call it from a thread of their own.
 */
final class SightLog {
  private static final int MAX_SAMPLES = 8_192;
  private static final long NOTHING = 0;

  private final AtomicLongArray unseenSinceNanos;

  @GuardedBy("this")
  private final SplittableRandom random = new SplittableRandom(1);

  @GuardedBy("this")
  private final long[] latenciesNanos = new long[MAX_SAMPLES];

  @GuardedBy("this")
  private long seen;

  SightLog(int files) {
    unseenSinceNanos = new AtomicLongArray(files);
  }

  /** Records a write; called before a file is written. */
  void writing(int file, long nowNanos) {
    if (unseenSinceNanos.get(file) == NOTHING) {
      unseenSinceNanos.set(file, nowNanos == NOTHING ? 1 : nowNanos);
    }
  }

  /** Records a report; called when the watcher knows that a file has changed. */
  void seen(int file, long nowNanos) {
    long since = unseenSinceNanos.getAndSet(file, NOTHING);
    if (since != NOTHING) {
      add(nowNanos - since);
    }
  }

  /** Adds a sample. If there is no room for all samples, keeps each with the same probability. */
  private synchronized void add(long latencyNanos) {
    long place = seen < MAX_SAMPLES ? seen : random.nextLong(seen + 1);
    if (place < MAX_SAMPLES) {
      latenciesNanos[(int) place] = latencyNanos;
    }
    seen++;
  }

  /** Begins to count. */
  synchronized void begin() {
    seen = 0;
  }

  /** Returns the number of changes that were seen since {@link #begin}. */
  synchronized long count() {
    return seen;
  }

  /**
   * Returns the latency that this part of the changes did not exceed.
   *
   * @param part 0.5 for the median
   * @return milliseconds; NaN if no change was seen
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
