package dev.tailwater.lab.destination;

import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.List;

/**
 * How much is put.
 *
 * @param parallel numbers of puts under way at the same time
 * @param millis how long puts are begun in each trial; at least one for each that is to be under
 *     way
 * @param mostBytes that lie at the destination at any time
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

  /** The sizes are those that segment_size may have; ship has at most eight puts under way. */
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
    // Removing takes a while too.
    return Duration.ofMillis(trials * (millis + 150L));
  }
}
