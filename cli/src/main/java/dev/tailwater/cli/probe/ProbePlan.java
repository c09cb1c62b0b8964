package dev.tailwater.cli.probe;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How much a probe tests.
 *
 * @param quick leave out what moves many megabytes or makes hundreds of requests
 * @param throughputBytes at most so many are put to measure with one put at a time, and as many
 *     again with several; 0 measures nothing, else at least {@link #LEAST_THROUGHPUT_BYTES}
 * @param measuring how long each measurement may take
 * @param calls how many single puts, and reads, are timed at most
 * @param clock this machine's time of day
 */
public record ProbePlan(
    boolean quick, long throughputBytes, Duration measuring, int calls, InstantSource clock) {
  /** The length of a full segment of {@code ship} with its default settings. */
  static final int SEGMENT_BYTES = 8 << 20;

  /** One segment. */
  public static final long LEAST_THROUGHPUT_BYTES = SEGMENT_BYTES;
}
