package dev.tailwater.delivery.drain;

import java.util.concurrent.TimeUnit;

/**
 * Finds how many deliveries at once bring most bytes to their destination: twice as many as long as
 * some wait and that makes it a tenth faster. For one thread.
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
   * @param usual at least so many are allowed always
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
   * How many there should be now.
   *
   * @param storedBytes that have arrived until now
   * @param segments that have
   * @param someWait for others to arrive
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
