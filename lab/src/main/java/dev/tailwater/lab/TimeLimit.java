package dev.tailwater.lab;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.TimeBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The limit of a quick run. Each experiment gets a share of the remaining time, in proportion to
 * what the experiments expect to take. On a slow or busy machine, experiments take fewer samples,
 * and those for which too little time remains are left out, which leaves more for those after them.
 * Other runs have no limit.
 */
final class TimeLimit {
  /**
   * The time of all experiments: two minutes, less the start of the JVM and the drawing of the
   * report. The experiment that is running then ends after its current sample.
   */
  static final Duration QUICK = Duration.ofSeconds(105);

  /** The multiple of its share after which an experiment ends with what it has. */
  private static final int MOST_SHARES = 2;

  /** The part of its expected time without which an experiment is not worth beginning. */
  private static final double WORTH_BEGINNING = 0.6;

  private final LabPlan plan;
  private final LongSupplier nanoTime;
  private final long beginNanos;

  TimeLimit(LabPlan plan, LongSupplier nanoTime) {
    this.plan = plan;
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
  }

  /**
   * Returns the time for an experiment; empty if too little remains. To be called in the order of
   * the plan.
   *
   * @param index of the experiment
   */
  Optional<TimeBudget> budget(int index) {
    if (plan.effort() != Effort.QUICK || expectedTime(index).isZero()) {
      return Optional.of(TimeBudget.unlimited());
    }
    long remainingNanos = QUICK.toNanos() - (nanoTime.getAsLong() - beginNanos);
    long expectedNanos = expectedTime(index).toNanos();
    long shareNanos = (long) ((double) remainingNanos * expectedNanos / expectedFrom(index));
    long endNanos = Math.min(MOST_SHARES * shareNanos, remainingNanos);
    return endNanos < WORTH_BEGINNING * expectedNanos
        ? Optional.empty()
        : Optional.of(
            TimeBudget.of(nanoTime, Duration.ofNanos(shareNanos), Duration.ofNanos(endNanos)));
  }

  private long expectedFrom(int index) {
    return plan.experiments().stream()
        .skip(index)
        .mapToLong(experiment -> experiment.expectedTime(plan.effort()).toNanos())
        .sum();
  }

  private Duration expectedTime(int index) {
    return plan.experiments().get(index).expectedTime(plan.effort());
  }
}
