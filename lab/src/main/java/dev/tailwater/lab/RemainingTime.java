package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.List;

/**
 * How long a run still takes: what the experiments expect to need, put right by how long the one
 * under way has needed for the part that it has done.
 */
final class RemainingTime {
  /** Before that, what it has needed says little. */
  private static final double TELLING = 0.1;

  private final List<Duration> expected;

  RemainingTime(List<Experiment> experiments, Effort effort) {
    this.expected = experiments.stream().map(e -> e.expectedTime(effort)).toList();
  }

  /**
   * The rest of the experiment under way and those after it.
   *
   * @param current its index
   * @param done the part of it that is done, from 0 to 1
   * @param elapsed how long that took
   */
  Duration after(int current, double done, Duration elapsed) {
    return ofCurrent(expected.get(current), done, elapsed).plus(from(current + 1));
  }

  /** The part of the whole run that is done, from 0 to 1. */
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
