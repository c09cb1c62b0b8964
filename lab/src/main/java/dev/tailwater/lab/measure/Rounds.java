package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * A measurement of variants in turns: each once a round, in an order that differs from round to
 * round, so that other load on the machine affects all alike. The first rounds, in which the JVM
 * compiles, do not count.
 *
 * @param <K> what distinguishes a variant from the others
 */
public final class Rounds<K> {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final Map<K, Trial> trials = new LinkedHashMap<>();

  /** One measurement of one variant. */
  @FunctionalInterface
  public interface Trial {
    /** Measures once, and returns a value for each quantity. */
    double[] run() throws IOException, InterruptedException;
  }

  /** Adds a variant. Results are in the order of these calls. */
  public Rounds<K> add(K variant, Trial trial) {
    if (trials.put(variant, trial) != null) {
      throw new IllegalArgumentException("twice: " + variant);
    }
    return this;
  }

  /**
   * Measures all variants.
   *
   * @param warmUps rounds that do not count
   * @param rounds rounds that count, at least 1
   * @return for each variant a series for each quantity
   */
  public Map<K, List<Series>> measure(Laboratory laboratory, int warmUps, int rounds)
      throws IOException, InterruptedException {
    return measure(laboratory, warmUps, rounds, FOR_EVER);
  }

  /**
   * Measures all variants as {@link #measure(Laboratory, int, int)} does, with fewer rounds if time
   * runs out. After the first {@value Comparison#MIN_SAMPLES} rounds that count, which any
   * conclusion needs, begins no round that would end too late if it took as long as the last one.
   * Each series has as many samples as there were rounds.
   *
   * @param atMost the time for all rounds together, including those that do not count
   */
  public Map<K, List<Series>> measure(
      Laboratory laboratory, int warmUps, int rounds, Duration atMost)
      throws IOException, InterruptedException {
    Map<K, List<double[]>> values = new LinkedHashMap<>();
    trials.keySet().forEach(variant -> values.put(variant, new ArrayList<>()));
    int all = (warmUps + rounds) * trials.size();
    int done = 0;
    long startNanos = System.nanoTime();
    long lastNanos = 0;
    for (int round = 0; round < warmUps + rounds; round++) {
      long beganNanos = System.nanoTime();
      if (round >= warmUps + Comparison.MIN_SAMPLES
          && beganNanos - startNanos + lastNanos > atMost.toNanos()) {
        break;
      }
      boolean counts = round >= warmUps;
      String doing = counts ? "round " + (round - warmUps + 1) + " of " + rounds : "warming up";
      for (K variant : shuffled(laboratory)) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped in " + doing);
        }
        laboratory.progress().at((double) done / all, doing);
        double[] measured = Objects.requireNonNull(trials.get(variant)).run();
        if (counts) {
          Objects.requireNonNull(values.get(variant)).add(measured);
        }
        done++;
      }
      lastNanos = System.nanoTime() - beganNanos;
    }
    Map<K, List<Series>> series = new LinkedHashMap<>();
    values.forEach((variant, measured) -> series.put(variant, series(measured)));
    return series;
  }

  private List<K> shuffled(Laboratory laboratory) {
    List<K> order = new ArrayList<>(trials.keySet());
    Collections.shuffle(order, Random.from(laboratory.random()));
    return order;
  }

  private static List<Series> series(List<double[]> measured) {
    List<Series> series = new ArrayList<>();
    for (int quantity = 0; quantity < measured.getFirst().length; quantity++) {
      List<Double> samples = new ArrayList<>();
      for (double[] values : measured) {
        samples.add(values[quantity]);
      }
      series.add(new Series(samples));
    }
    return series;
  }
}
