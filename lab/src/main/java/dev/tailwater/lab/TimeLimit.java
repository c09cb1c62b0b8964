package dev.tailwater.lab;

import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps a quick run quick on a slow or busy machine: what would end too late is left out. Other
 * runs take what they need.
 */
final class TimeLimit {
  /** What the experiments expect to need, and some more, since none is cut short. */
  private static final Duration QUICK = Duration.ofSeconds(150);

  private final LabPlan plan;
  private final LongSupplier nanoTime;
  private final long beginNanos;

  /** What the experiments that were run expected to need. */
  private Duration expected = Duration.ZERO;

  TimeLimit(LabPlan plan, LongSupplier nanoTime) {
    this.plan = plan;
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
  }

  /**
   * Why the experiment is left out, or empty: then it is run. Asked in the order of the plan.
   *
   * @param index of the experiment
   */
  Optional<String> tooLate(int index) {
    if (plan.effort() != Effort.QUICK || index == 0) {
      return run(index);
    }
    long elapsedNanos = nanoTime.getAsLong() - beginNanos;
    // By as much as the machine was too slow so far, it will be.
    double slower = Math.max(1, (double) elapsedNanos / Math.max(1, expected.toNanos()));
    double endNanos = elapsedNanos + expectedTime(index).toNanos() * slower;
    if (endNanos <= QUICK.toNanos()) {
      return run(index);
    }
    return Optional.of(
        "left out to keep the run quick, since this machine is slow now; '--only "
            + plan.experiments().get(index).name()
            + "' measures it alone");
  }

  private Optional<String> run(int index) {
    expected = expected.plus(expectedTime(index));
    return Optional.empty();
  }

  private Duration expectedTime(int index) {
    return plan.experiments().get(index).expectedTime(plan.effort());
  }
}
