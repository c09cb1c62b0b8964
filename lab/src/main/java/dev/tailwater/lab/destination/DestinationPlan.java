package dev.tailwater.lab.destination;

import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.List;

/**
 * How much {@code destination} measures.
 *
 * @param parallel numbers of simultaneous puts
 * @param millis how long puts are begun in each trial; at least as many as are to run at once
 * @param mostBytes that are at the destination at any time
 */
record DestinationPlan(
    List<Integer> sizesBytes,
    List<Integer> parallel,
    int millis,
    int warmUps,
    int rounds,
    long mostBytes) {
  private static final int MIB = 1 << 20;

  DestinationPlan {
    sizesBytes = List.copyOf(sizesBytes);
    parallel = List.copyOf(parallel);
  }

  /**
   * Returns the plan. Its sizes are those that segment_size may have, and ship has at most eight
   * puts in progress.
   */
  static DestinationPlan of(Effort effort) {
    return effort.pick(
        new DestinationPlan(List.of(MIB, 8 * MIB), List.of(1, 8), 300, 1, 3, 128L * MIB),
        new DestinationPlan(
            List.of(MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB),
            List.of(1, 4, 8),
            600,
            1,
            5,
            512L * MIB),
        new DestinationPlan(
            List.of(MIB, 2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB, 64 * MIB),
            List.of(1, 2, 4, 8, 16),
            1_500,
            1,
            7,
            1024L * MIB));
  }

  Duration expectedTime() {
    long trials = (long) sizesBytes.size() * parallel.size() * (warmUps + rounds);
    // Removing takes time too.
    return Duration.ofMillis(trials * (millis + 150L));
  }
}
