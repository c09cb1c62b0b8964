package dev.tailwater.cli.bench;

import org.HdrHistogram.Histogram;

/**
 * What one part of a measurement gave.
 *
 * @param nanos how long it took
 * @param latencies of single operations, in nanoseconds
 */
public record PhaseResult(
    String name, int threads, long operations, long nanos, Histogram latencies) {
  /** Operations for each second. */
  public double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }
}
