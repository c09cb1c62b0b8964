package dev.tailwater.lab;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.TimeBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The limit of a quick run. Each experiment gets a share of the remaining time, in proportion to
 * what the experiments expect to take. On a slow or busy machine, experiments take fewer samples,
 * and those for which too little time remains are left out. Other runs have no limit.
 */
final class TimeLimit {
  /**
   * The time of all experiments: two minutes, less the start of the JVM and the drawing of the
   * report. The experiment that is running then ends after its current sample.
   */
  static final Duration QUICK = Duration.ofSeconds(110);

  /** The part of an experiment without which no conclusion is likely: three rounds of five. */
  private static final double WORTH_BEGINNING = 0.6;

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
   * Returns the time for an experiment; empty if too little remains. To be called in the order of
   * the plan.
   *
   * @param index of the experiment
   */
  Optional<TimeBudget> budget(int index) {
    if (plan.effort() != Effort.QUICK || expectedTime(index).isZero()) {
      return Optional.of(TimeBudget.unlimited());
    }
    long elapsedNanos = nanoTime.getAsLong() - beginNanos;
    long remainingNanos = QUICK.toNanos() - elapsedNanos;
    // Assumes that the machine stays as slow as it was.
    double slower = expected.isZero() ? 1 : Math.max(1, (double) elapsedNanos / expected.toNanos());
    if (WORTH_BEGINNING * expectedTime(index).toNanos() * slower > remainingNanos) {
      return Optional.empty();
    }
    double share = (double) expectedTime(index).toNanos() / Math.max(1, expectedFrom(index));
    expected = expected.plus(expectedTime(index));
    return Optional.of(
        TimeBudget.of(
            nanoTime,
            Duration.ofNanos((long) (share * remainingNanos)),
            Duration.ofNanos(remainingNanos)));
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
