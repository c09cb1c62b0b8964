package dev.tailwater.bench.stores;

import dev.tailwater.bench.run.Samples;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Medians of one data set in Markdown: a row for each metric, a column for each engine. */
final class FiguresTable {
  private static final double WHOLE_FROM = 1_000;

  private FiguresTable() {}

  static String of(Figures figures) {
    Set<String> engines = new LinkedHashSet<>();
    for (EngineKind kind : EngineKind.values()) {
      engines.add(kind.label());
    }
    figures.all().values().forEach(metric -> engines.addAll(metric.keySet()));
    engines.removeIf(
        engine -> figures.all().values().stream().noneMatch(row -> row.containsKey(engine)));
    Dataset dataset = figures.dataset();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%n%s: %,d records with values of %d bytes%n%n| median | %s |%n| --- |%s%n",
            dataset.name(),
            dataset.count(),
            dataset.valueBytes(),
            String.join(" | ", engines),
            " --- |".repeat(engines.size())));
    for (Map.Entry<String, Map<String, Samples>> row : figures.all().entrySet()) {
      text.append("| ").append(row.getKey()).append(" |");
      for (String engine : engines) {
        Samples samples = row.getValue().get(engine);
        text.append(samples == null ? " |" : " " + figure(samples.median()) + " |");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String figure(double value) {
    return value >= WHOLE_FROM
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
