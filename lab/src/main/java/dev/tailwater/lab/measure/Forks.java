package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A measurement of JMH benchmarks whose results depend on the just-in-time compiler. Each variant
 * runs in JVMs of its own, so that what the compiler learned from one variant does not affect
 * another. The variants take turns: in each round every one has one JVM, in an order that differs
 * from round to round.
 *
 * <p>One sample is one JVM: the median of its measured iterations. So the spread of the samples
 * includes what differs from JVM to JVM, such as the compiler's decisions and the places of
 * objects.
 *
 * <p>For one thread.
 *
 * @param <K> what distinguishes a variant from the others
 */
public final class Forks<K> {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final Map<K, Variant> variants = new LinkedHashMap<>();
  private final ForkPlan plan;

  private record Variant(ForkedBenchmark benchmark, List<Optional<String>> results) {
    /** Returns the scores of one JVM. */
    double[] run(ForkPlan plan, Laboratory laboratory) throws IOException, InterruptedException {
      ForkScores scores = benchmark.run(plan, laboratory.directory());
      double[] medians = new double[results.size()];
      for (int i = 0; i < medians.length; i++) {
        medians[i] = scores.median(results.get(i));
      }
      return medians;
    }
  }

  public Forks(ForkPlan plan) {
    this.plan = plan;
  }

  /**
   * Adds a variant, whose score is that of its benchmark. Results are in the order of these calls.
   */
  public Forks<K> add(K variant, ForkedBenchmark benchmark) {
    return add(variant, benchmark, List.of(Optional.empty()));
  }

  /**
   * Adds a variant whose threads do different things, {@link
   * org.openjdk.jmh.annotations.Group @Group}.
   *
   * @param methods those whose scores are wanted, in this order
   */
  public Forks<K> addGroup(K variant, ForkedBenchmark benchmark, List<String> methods) {
    return add(variant, benchmark, methods.stream().map(Optional::of).toList());
  }

  private Forks<K> add(K variant, ForkedBenchmark benchmark, List<Optional<String>> results) {
    if (variants.put(variant, new Variant(benchmark, results)) != null) {
      throw new IllegalArgumentException("twice: " + variant);
    }
    return this;
  }

  /**
   * Measures all variants.
   *
   * @return for each variant its series, in the units of the benchmarks' own annotations
   * @throws IOException a benchmark failed, or its JVM did; the message has the reason
   */
  public Map<K, List<Series>> measure(Laboratory laboratory)
      throws IOException, InterruptedException {
    return measure(laboratory, FOR_EVER);
  }

  /**
   * Measures all variants as {@link #measure(Laboratory)} does, with fewer rounds if time runs out.
   * After the rounds that any conclusion needs, begins no round that would end too late if it took
   * as long as the last one. When the laboratory's time is up, ends after the current JVM, and
   * forgets the round that is incomplete. What is missing is noted.
   *
   * @throws OutOfTimeException the laboratory's time was up before the first round ended
   */
  public Map<K, List<Series>> measure(Laboratory laboratory, Duration atMost)
      throws IOException, InterruptedException {
    if (variants.isEmpty()) {
      return Map.of();
    }
    Rounds<K> rounds = new Rounds<>();
    variants.forEach((key, variant) -> rounds.add(key, () -> variant.run(plan, laboratory)));
    Laboratory jvms =
        new Laboratory(
            laboratory.directory(),
            laboratory.effort(),
            laboratory.calls(),
            laboratory.random(),
            (done, doing) -> laboratory.progress().at(done, "JVM " + doing),
            laboratory.time());
    return rounds.measure(jvms, 0, plan.rounds(), atMost);
  }
}
