package dev.tailwater.delivery.neighbour;

import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an agent does for its neighbours, except in a hurry.
 *
 * @param nice the nice level of the threads that read, compress and merge, 0 to 19; threads with a
 *     higher one keep it
 * @param policy the scheduling policy of those threads
 * @param ioPriority the priority of those threads, and of those that deliver
 * @param cpuLimit the limit of the whole process, in processors: 0.5 is half of one; empty: none
 * @param pressure from which pressure on workers rest; empty: they do not
 */
public record NeighbourSettings(
    int nice,
    SchedulingPolicy policy,
    IoPriority ioPriority,
    OptionalDouble cpuLimit,
    Optional<PressureLimits> pressure) {
  /** An agent that behaves as any other program. */
  public static final NeighbourSettings OFF =
      new NeighbourSettings(
          0, SchedulingPolicy.NORMAL, IoPriority.NONE, OptionalDouble.empty(), Optional.empty());

  /** Settings that suit most machines. */
  public static final NeighbourSettings STANDARD =
      new NeighbourSettings(
          10,
          SchedulingPolicy.BATCH,
          IoPriority.bestEffort(7),
          OptionalDouble.empty(),
          Optional.of(PressureLimits.STANDARD));

  /** The least limit: with less, nothing would ever be delivered. */
  public static final double MIN_CPU_LIMIT = 0.01;

  public NeighbourSettings {
    if (nice < 0 || nice > 19) {
      throw new IllegalArgumentException("nice level " + nice + " is not 0 to 19");
    }
    if (cpuLimit.isPresent() && !(cpuLimit.getAsDouble() >= MIN_CPU_LIMIT)) {
      throw new IllegalArgumentException("a processor limit of " + cpuLimit.getAsDouble());
    }
  }

  /** Returns whether threads run with a lower priority. */
  public boolean lowersThreads() {
    return nice > 0 || policy != SchedulingPolicy.NORMAL || !ioPriority.equals(IoPriority.NONE);
  }

  /** Returns whether workers may rest. */
  public boolean mayRest() {
    return cpuLimit.isPresent() || pressure.isPresent();
  }
}
