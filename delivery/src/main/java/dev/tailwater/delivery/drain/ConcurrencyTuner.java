package dev.tailwater.delivery.drain;

import java.util.concurrent.TimeUnit;

/**
 * Finds the number of concurrent deliveries with the highest throughput: it doubles the number as
 * long as segments wait and that makes delivery at least a tenth faster. For one thread.
 */
final class ConcurrencyTuner {
  private static final int MOST = 32;
  private static final double WORTH_IT = 1.1;
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final int usual;
  private int parallel;
  private double rateOfHalf;
  private boolean found;
  private boolean wasBusy;
  private long sinceNanos;
  private long bytesBefore;
  private long segmentsBefore;

  /**
   * Creates a tuner.
   *
   * @param usual the number to begin with, which is also the least
   */
  ConcurrencyTuner(int usual, long nowNanos, long storedBytes, long segments) {
    this.usual = usual;
    this.parallel = usual;
    begin(nowNanos, storedBytes, segments);
  }

  private void begin(long nowNanos, long storedBytes, long segments) {
    wasBusy = true;
    sinceNanos = nowNanos;
    bytesBefore = storedBytes;
    segmentsBefore = segments;
  }

  /**
   * Returns how many deliveries there should be at once now.
   *
   * @param storedBytes how many bytes have arrived until now
   * @param segments how many segments have arrived until now
   * @param someWait whether segments wait for others to arrive
   */
  int tune(long nowNanos, long storedBytes, long segments, boolean someWait) {
    wasBusy &= someWait;
    boolean enough =
        nowNanos - sinceNanos >= LEAST_NANOS && segments - segmentsBefore >= 2L * parallel;
    if (found || !enough) {
      return parallel;
    }
    if (wasBusy) {
      climb((double) (storedBytes - bytesBefore) / (nowNanos - sinceNanos));
    }
    begin(nowNanos, storedBytes, segments);
    return parallel;
  }

  private void climb(double rate) {
    if (rate < rateOfHalf * WORTH_IT) {
      parallel = Math.max(usual, parallel / 2);
      found = true;
    } else if (parallel * 2 <= Math.max(MOST, usual)) {
      rateOfHalf = rate;
      parallel *= 2;
    } else {
      found = true;
    }
  }
}
