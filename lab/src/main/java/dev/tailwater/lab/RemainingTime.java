package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.List;

/**
 * An estimate of the remaining time of a run: the expected time of its experiments, corrected by
 * the time that the current one has taken so far.
 */
final class RemainingTime {
  /** The part of an experiment before which its elapsed time is not meaningful. */
  private static final double TELLING = 0.1;

  private final List<Duration> expected;

  RemainingTime(List<Experiment> experiments, Effort effort) {
    this.expected = experiments.stream().map(e -> e.expectedTime(effort)).toList();
  }

  /**
   * Returns the time for the rest of the current experiment and those after it.
   *
   * @param current its index
   * @param done the part of it that is done, from 0 to 1
   * @param elapsed how long that took
   */
  Duration after(int current, double done, Duration elapsed) {
    return ofCurrent(expected.get(current), done, elapsed).plus(from(current + 1));
  }

  /** Returns the part of the whole run that is done, from 0 to 1. */
  double share(int current, double done) {
    double all = Math.max(1, from(0).toMillis());
    double before = all - from(current).toMillis();
    return Math.clamp((before + done * expected.get(current).toMillis()) / all, 0, 1);
  }

  private Duration from(int first) {
    return expected.stream().skip(first).reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration ofCurrent(Duration expected, double done, Duration elapsed) {
    double restMillis =
        done < TELLING
            ? expected.toMillis() - elapsed.toMillis()
            : elapsed.toMillis() * (1 - done) / done;
    return Duration.ofMillis((long) Math.max(0, restMillis));
  }
}
