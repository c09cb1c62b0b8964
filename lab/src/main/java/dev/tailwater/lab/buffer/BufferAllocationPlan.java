package dev.tailwater.lab.buffer;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import java.time.Duration;
import java.util.List;

/**
 * How much {@code buffer-allocation} measures.
 *
 * @param ways of allocating that are timed
 * @param threads of the stress, each a variant
 * @param stressRounds JVMs for each way and number of threads
 * @param stressMillis how long each of them runs
 */
record BufferAllocationPlan(
    ForkPlan forks,
    List<BufferWay> ways,
    List<Integer> sizesBytes,
    List<Integer> threads,
    int stressRounds,
    int stressMillis) {
  private static final int KIB = 1024;
  private static final int START_MILLIS = 300;

  /**
   * The ways under stress. Shared arenas are left out: closing one waits for all threads, which is
   * slow there.
   */
  static final List<BufferWay> STRESSED =
      List.of(BufferWay.HEAP, BufferWay.DIRECT, BufferWay.ARENA, BufferWay.POOL);

  static BufferAllocationPlan of(Effort effort) {
    ForkPlan forks = ForkPlan.of(effort);
    return effort.pick(
        new BufferAllocationPlan(forks, STRESSED, List.of(64 * KIB), List.of(2), 1, 500),
        new BufferAllocationPlan(
            forks,
            List.of(BufferWay.values()),
            List.of(8 * KIB, 64 * KIB, 1024 * KIB),
            List.of(2, 16),
            3,
            1_000),
        new BufferAllocationPlan(
            forks,
            List.of(BufferWay.values()),
            List.of(
                8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB, 1024 * KIB),
            List.of(2, 4, 8, 16),
            3,
            3_000));
  }

  Duration expectedTime() {
    return forks
        .expectedTime(ways.size() * sizesBytes.size())
        .plusMillis(
            (long) STRESSED.size() * threads.size() * stressRounds * (START_MILLIS + stressMillis));
  }
}
