package dev.tailwater.bench.stores;

import dev.tailwater.bench.run.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What was measured of one data set: by metric, then by engine, one sample for each round. */
final class Figures {
  private final Dataset dataset;
  private final Map<String, Map<String, Samples>> samples = new LinkedHashMap<>();

  Figures(Dataset dataset) {
    this.dataset = dataset;
  }

  Dataset dataset() {
    return dataset;
  }

  void add(String metric, String engine, double value) {
    System.err.printf(
        Locale.ROOT, "%-8s %-28s %-22s %,16.3f%n", dataset.name(), metric, engine, value);
    samples
        .computeIfAbsent(metric, _ -> new LinkedHashMap<>())
        .computeIfAbsent(engine, _ -> new Samples())
        .add(value);
  }

  Optional<Double> median(String metric, String engine) {
    return Optional.ofNullable(samples.getOrDefault(metric, Map.of()).get(engine))
        .map(Samples::median);
  }

  /** The median of the ratios of the rounds; empty when one of them was not measured. */
  Optional<Double> ratio(String metric, String engine, String other) {
    Map<String, Samples> engines = samples.getOrDefault(metric, Map.of());
    if (!engines.containsKey(engine) || !engines.containsKey(other)) {
      return Optional.empty();
    }
    List<Double> ours = engines.get(engine).values();
    List<Double> theirs = engines.get(other).values();
    Samples ratios = new Samples();
    for (int round = 0; round < Math.min(ours.size(), theirs.size()); round++) {
      ratios.add(ours.get(round) / theirs.get(round));
    }
    return Optional.of(ratios.median());
  }

  Map<String, Map<String, Samples>> all() {
    return samples;
  }
}
