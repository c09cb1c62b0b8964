package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import dev.tailwater.lab.memory.PollutionVariant.Victim;
import dev.tailwater.lab.memory.StreamingCopyBenchmark.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The variants that {@code copy} measures. */
record CopyPlan(ForkPlan forks, List<CopyVariant> copies, List<PollutionVariant> pollution) {
  /** The most memory that one JVM touches: its heap, or as much native memory. */
  static final long NEEDED_BYTES = 1L << 30;

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  CopyPlan {
    copies = List.copyOf(copies);
    pollution = List.copyOf(pollution);
  }

  static CopyPlan of(Effort effort) {
    List<Target> targets =
        effort.pick(List.of(Target.COLD), List.of(Target.COLD), List.of(Target.values()));
    List<Integer> sizes =
        effort.pick(
            List.of(MIB),
            List.of(8 * KIB, 128 * KIB, MIB, 8 * MIB, 64 * MIB),
            List.of(8 * KIB, 32 * KIB, 128 * KIB, MIB, 8 * MIB, 64 * MIB));
    List<CopyVariant> copies = new ArrayList<>();
    for (Target target : targets) {
      for (int size : sizes) {
        for (CopyVariant.Way way : CopyVariant.Way.values()) {
          if (effort != Effort.QUICK || way != CopyVariant.Way.SEGMENT) {
            copies.add(new CopyVariant(way, size, target));
          }
        }
      }
    }
    List<PollutionVariant> pollution = new ArrayList<>();
    for (Copier copier : Copier.values()) {
      if (effort != Effort.QUICK) {
        pollution.add(new PollutionVariant(Victim.BESIDE, MIB, copier));
        pollution.add(new PollutionVariant(Victim.BESIDE, 32 * MIB, copier));
        pollution.add(new PollutionVariant(Victim.AFTERWARDS, MIB / 2, copier));
        pollution.add(new PollutionVariant(Victim.AFTERWARDS, MIB, copier));
      }
    }
    return new CopyPlan(ForkPlan.of(effort), copies, pollution);
  }

  /**
   * Returns the variants that can be measured on the given number of processors, since two threads
   * need one each.
   */
  CopyPlan on(int processors) {
    return processors >= 2
        ? this
        : new CopyPlan(
            forks,
            copies,
            pollution.stream().filter(variant -> variant.victim() != Victim.BESIDE).toList());
  }

  Duration expectedTime() {
    // Touching half a gibibyte takes time.
    return forks
        .expectedTime(copies.size() + pollution.size())
        .plusMillis(200L * forks.rounds() * (copies.size() + pollution.size()));
  }
}
