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
import java.util.Optional;
import java.util.Random;

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

  private record Variant(ForkedBenchmark benchmark, List<Optional<String>> results) {}

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
   * as long as the last one.
   */
  public Map<K, List<Series>> measure(Laboratory laboratory, Duration atMost)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + atMost.toNanos();
    long lastNanos = 0;
    Map<K, List<List<Double>>> samples = new LinkedHashMap<>();
    variants.forEach((key, variant) -> samples.put(key, empty(variant.results().size())));
    int done = 0;
    for (int round = 1; round <= plan.rounds(); round++) {
      long beganNanos = System.nanoTime();
      if (round > Comparison.MIN_SAMPLES && beganNanos + lastNanos - endNanos > 0) {
        break;
      }
      for (K key : shuffled(laboratory)) {
        laboratory
            .progress()
            .at(
                (double) done / (plan.rounds() * variants.size()),
                "JVM round " + round + " of " + plan.rounds() + ", " + key);
        Variant variant = Objects.requireNonNull(variants.get(key));
        ForkScores scores = variant.benchmark().run(plan, laboratory.directory());
        for (int i = 0; i < variant.results().size(); i++) {
          Objects.requireNonNull(samples.get(key))
              .get(i)
              .add(scores.median(variant.results().get(i)));
        }
        done++;
      }
      lastNanos = System.nanoTime() - beganNanos;
    }
    Map<K, List<Series>> series = new LinkedHashMap<>();
    samples.forEach((key, lists) -> series.put(key, lists.stream().map(Series::new).toList()));
    return series;
  }

  private List<K> shuffled(Laboratory laboratory) {
    List<K> order = new ArrayList<>(variants.keySet());
    Collections.shuffle(order, Random.from(laboratory.random()));
    return order;
  }

  private static List<List<Double>> empty(int count) {
    List<List<Double>> lists = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }
}
