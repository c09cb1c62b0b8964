package dev.tailwater.cli.probe;

import org.HdrHistogram.Histogram;

/**
 * The latencies of single calls.
 *
 * @param what the call, in a few words
 * @param latencies in nanoseconds
 */
public record Timing(String what, Histogram latencies) {
  /** Returns the latency that this percentage of calls did not exceed. */
  public long nanosAt(double percentile) {
    return latencies.getValueAtPercentile(percentile);
  }

  String forPeople() {
    return "p50 %s, p90 %s, p99 %s of %d"
        .formatted(
            Words.nanos(nanosAt(50)),
            Words.nanos(nanosAt(90)),
            Words.nanos(nanosAt(99)),
            latencies.getTotalCount());
  }
}
