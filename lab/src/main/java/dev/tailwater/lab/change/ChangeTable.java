package dev.tailwater.lab.change;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Quantity.Better;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table of {@code change-detection}. Article 004 shows its figures only in a picture; {@link
 * ChangeConclusions} has what it says of them.
 */
final class ChangeTable {
  static final String TITLE = "Knowing which files have changed";
  static final String WAY = "way";
  static final String FILES = "files that change";
  static final String RATE = "changes of each a second";
  static final Quantity PROCESSOR = Quantity.less("processor", "% of one");
  static final Quantity MEDIAN = Quantity.less("latency, median", "ms");
  static final Quantity P99 = Quantity.less("latency, 99 %", "ms");
  static final Quantity SEEN = new Quantity("changes seen", "1/s", Better.NONE);
  static final Quantity WRITTEN = new Quantity("writes", "1/s", Better.NONE);
  static final Quantity OVERFLOWS = Quantity.less("overflows", "1/s");

  /** A load of writes. */
  record Load(int files, double writesPerFileAndSecond) {
    double writesPerSecond() {
      return files * writesPerFileAndSecond;
    }

    String filesText() {
      return String.valueOf(files);
    }

    String rateText() {
      return Figures.text(writesPerFileAndSecond);
    }

    String words() {
      return "%s files, each changing %s × a second".formatted(filesText(), rateText());
    }
  }

  /** One variant. */
  record Variant(Load load, ChangeWay way) {
    Map<String, String> wanted() {
      return Map.of(WAY, way.words(), FILES, load.filesText(), RATE, load.rateText());
    }
  }

  private ChangeTable() {}

  /** Builds the table, by load and then by method. */
  static ResultTable of(Map<Variant, List<double[]>> measured) {
    List<Row> rows = new ArrayList<>();
    Map<Variant, List<double[]>> sorted = new LinkedHashMap<>();
    measured.keySet().stream()
        .sorted(
            Comparator.comparingInt((Variant variant) -> variant.load().files())
                .thenComparingDouble(variant -> variant.load().writesPerFileAndSecond())
                .thenComparing(Variant::way))
        .forEach(variant -> sorted.put(variant, measured.getOrDefault(variant, List.of())));
    sorted.forEach(
        (variant, samples) ->
            rows.add(
                Row.of(
                    List.of(
                        variant.way().words(),
                        variant.load().filesText(),
                        variant.load().rateText()),
                    series(samples),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN)));
    return new ResultTable(
        TITLE,
        List.of(WAY, FILES, RATE),
        List.of(PROCESSOR, MEDIAN, P99, SEEN, WRITTEN, OVERFLOWS),
        rows);
  }

  private static List<Series> series(List<double[]> samples) {
    List<Series> series = new ArrayList<>();
    for (int quantity = 0; quantity < samples.getFirst().length; quantity++) {
      series.add(known(samples, quantity));
    }
    return series;
  }

  /**
   * Returns the latencies of the windows in which something was seen; empty if there is no such
   * window.
   */
  private static Series known(List<double[]> samples, int quantity) {
    List<Double> all = samples.stream().map(values -> values[quantity]).toList();
    List<Double> known = all.stream().filter(value -> !value.isNaN()).toList();
    return new Series(known.isEmpty() ? all : known);
  }

  /** Returns a variant by its processor time. */
  static Optional<Contender> contender(ResultTable table, Load load, ChangeWay way) {
    return Contender.of(way.words(), table, PROCESSOR.name(), new Variant(load, way).wanted());
  }
}
