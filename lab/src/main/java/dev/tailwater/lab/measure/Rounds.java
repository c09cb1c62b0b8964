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
   * When the laboratory's time is up, ends after the current sample, and forgets the round that is
   * incomplete. Each series has as many samples as there were rounds; what is missing is noted.
   *
   * @param atMost the time for all rounds together, including those that do not count
   * @throws OutOfTimeException the laboratory's time was up before the first round that counts
   *     ended
   */
  public Map<K, List<Series>> measure(
      Laboratory laboratory, int warmUps, int rounds, Duration atMost)
      throws IOException, InterruptedException {
    TimeBudget time = laboratory.time();
    Map<K, List<double[]>> values = new LinkedHashMap<>();
    trials.keySet().forEach(variant -> values.put(variant, new ArrayList<>()));
    long startNanos = System.nanoTime();
    Duration last = Duration.ZERO;
    int counted = 0;
    for (int round = 0; round < warmUps + rounds; round++) {
      long beganNanos = System.nanoTime();
      Duration end = Duration.ofNanos(beganNanos - startNanos).plus(last);
      boolean enough = counted >= Comparison.MIN_SAMPLES;
      if (enough && (end.compareTo(atMost) > 0 || !time.isInShare(last))) {
        break;
      }
      if (counted > 0 && !time.isInTime(last)) {
        break;
      }
      Map<K, double[]> measured = round(laboratory, round, warmUps, rounds);
      if (measured.size() < trials.size()) {
        if (counted == 0) {
          throw new OutOfTimeException(doing(round, warmUps, rounds));
        }
        break;
      }
      if (round >= warmUps) {
        measured.forEach((variant, one) -> Objects.requireNonNull(values.get(variant)).add(one));
        counted++;
      }
      last = Duration.ofNanos(System.nanoTime() - beganNanos);
    }
    if (counted < rounds) {
      time.leaveOut("%d of %d rounds".formatted(rounds - counted, rounds));
    }
    Map<K, List<Series>> series = new LinkedHashMap<>();
    values.forEach((variant, measured) -> series.put(variant, series(measured)));
    return series;
  }

  /**
   * Measures an optional part as {@link #measure(Laboratory, int, int, Duration)} does.
   *
   * @param name of the part, which is noted if there was no time for it
   * @return nothing if there was no time
   */
  public Map<K, List<Series>> measureIfTime(
      Laboratory laboratory, String name, int warmUps, int rounds, Duration atMost)
      throws IOException, InterruptedException {
    try {
      return measure(laboratory, warmUps, rounds, atMost);
    } catch (OutOfTimeException e) {
      laboratory.time().leaveOut(name);
      return Map.of();
    }
  }

  /** Measures each variant once; without those for which there was no time. */
  private Map<K, double[]> round(Laboratory laboratory, int round, int warmUps, int rounds)
      throws IOException, InterruptedException {
    String doing = doing(round, warmUps, rounds);
    double all = (double) (warmUps + rounds) * trials.size();
    Map<K, double[]> measured = new LinkedHashMap<>();
    for (K variant : shuffled(laboratory)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped in " + doing);
      }
      if (!laboratory.time().isInTime(Duration.ZERO)) {
        break;
      }
      laboratory.progress().at((round * trials.size() + measured.size()) / all, doing);
      measured.put(variant, Objects.requireNonNull(trials.get(variant)).run());
    }
    return measured;
  }

  private static String doing(int round, int warmUps, int rounds) {
    return round < warmUps ? "warming up" : "round " + (round - warmUps + 1) + " of " + rounds;
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
