package dev.tailwater.cli.bench;

import org.HdrHistogram.Histogram;

/**
 * The result of one phase of a measurement.
 *
 * @param nanos how long it took
 * @param latencies of single operations, in nanoseconds
 */
public record PhaseResult(
    String name, int threads, long operations, long nanos, Histogram latencies) {
  /** Returns the operations per second. */
  public double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }
}
