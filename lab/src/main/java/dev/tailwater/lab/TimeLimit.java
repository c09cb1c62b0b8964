package dev.tailwater.lab;

import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The limit of a quick run: on a slow or busy machine, experiments that would end too late are left
 * out. Other runs have no limit.
 */
final class TimeLimit {
  /** The expected time of all experiments and a margin, since no experiment is cut short. */
  private static final Duration QUICK = Duration.ofSeconds(150);

  private final LabPlan plan;
  private final LongSupplier nanoTime;
  private final long beginNanos;

  /** The expected time of the experiments that were run. */
  private Duration expected = Duration.ZERO;

  TimeLimit(LabPlan plan, LongSupplier nanoTime) {
    this.plan = plan;
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
  }

  /**
   * Returns why an experiment is left out; empty if it is run. To be called in the order of the
   * plan.
   *
   * @param index of the experiment
   */
  Optional<String> tooLate(int index) {
    if (plan.effort() != Effort.QUICK || index == 0) {
      return run(index);
    }
    long elapsedNanos = nanoTime.getAsLong() - beginNanos;
    // Assumes that the machine stays as slow as it was.
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
