package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Series;
import java.time.Duration;

/**
 * The duration and number of runs of forked benchmarks.
 *
 * @param rounds JVMs for each variant, which is the number of its samples
 * @param warmUps iterations of each JVM that do not count
 * @param warmUpMillis length of each of them
 * @param iterations of each JVM that count
 * @param iterationMillis length of each of them
 */
public record ForkPlan(
    int rounds, int warmUps, int warmUpMillis, int iterations, int iterationMillis) {

  private static final long START_MILLIS = 400;

  /** Returns the plan for an effort; about half a second of each JVM is its start. */
  public static ForkPlan of(Effort effort) {
    return effort.pick(
        new ForkPlan(3, 2, 50, 3, 40),
        new ForkPlan(6, 2, 100, 3, 80),
        new ForkPlan(7, 2, 150, 3, 120));
  }

  /** Returns about how long it takes to measure the given number of variants. */
  public Duration expectedTime(int variants) {
    long jvmMillis =
        START_MILLIS + (long) warmUps * warmUpMillis + (long) iterations * iterationMillis;
    return Duration.ofMillis(jvmMillis * rounds * variants);
  }

  /** Returns how long it may take before rounds are left out. */
  public Duration atMost(int variants) {
    return expectedTime(variants).multipliedBy(2);
  }

  /** Returns a description of what a sample is. */
  public String sampleInWords(Series series) {
    int jvms = series.samples().size();
    return "the median of %d iterations of %d ms in a JVM of its own; JVMs for each variant: %d%s"
        .formatted(
            iterations,
            iterationMillis,
            jvms,
            jvms < rounds ? " (" + rounds + " were planned; time was up)" : "");
  }
}
