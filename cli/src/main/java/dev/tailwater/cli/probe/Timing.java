package dev.tailwater.cli.probe;

import org.HdrHistogram.Histogram;

/**
 * How long single calls took.
 *
 * @param what the call, in a few words
 * @param latencies in nanoseconds
 */
public record Timing(String what, Histogram latencies) {
  /** So many of 100 took no longer. */
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
