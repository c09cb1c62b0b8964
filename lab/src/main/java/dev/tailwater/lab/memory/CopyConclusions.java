package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the tables of {@code copy} say. */
final class CopyConclusions {
  /** In the article memcpy had 1.10 to 1.15 times the throughput at these sizes. */
  private static final List<String> ARTICLE_SMALL = List.of("8 KiB", "32 KiB", "128 KiB");

  /** And 1.6 to 1.9 times at large ones. */
  private static final List<String> ARTICLE_LARGE = List.of("8 MiB", "64 MiB");

  private static final double SMALL_RATIO = 1.125;
  private static final double LARGE_RATIO = 1.75;

  /** What the figures are compared with, for people. */
  static final String ARTICLE =
      "memcpy against System.arraycopy: 1.10 to 1.15 × at 8 to 128 KiB, 1.6 to 1.9 × at large"
          + " sizes; the middle of each is compared with, as if it were for a cold target";

  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  CopyConclusions(ResultTable copy, ResultTable pollution) {
    for (Map<String, String> where : groups(copy)) {
      String size = Optional.ofNullable(where.get(CopyTables.SIZE)).orElseThrow();
      String target = Optional.ofNullable(where.get(CopyTables.TARGET)).orElseThrow();
      OptionalDouble article = target.equals("cold") ? article(size) : OptionalDouble.empty();
      compare(
          CopyTables.THROUGHPUT,
          copied(copy, where, CopyVariant.Way.MEMCPY, article),
          copied(
              copy,
              where,
              CopyVariant.Way.ARRAYCOPY,
              article.isPresent() ? OptionalDouble.of(1) : article));
      for (CopyVariant.Way way : List.of(CopyVariant.Way.SEGMENT, CopyVariant.Way.NON_TEMPORAL)) {
        compare(
            CopyTables.THROUGHPUT,
            copied(copy, where, way, OptionalDouble.empty()),
            copied(copy, where, CopyVariant.Way.ARRAYCOPY, OptionalDouble.empty()));
      }
    }
    for (Map<String, String> where : groups(pollution)) {
      Optional<Contender> ordinary = walked(pollution, where, Copier.ARRAYCOPY);
      compare(CopyTables.LATENCY, ordinary, walked(pollution, where, Copier.NONE));
      if (compare(CopyTables.LATENCY, walked(pollution, where, Copier.STREAMING), ordinary)) {
        recommendations.add(
            new Recommendation(
                Recommendation.Place.PROGRAM,
                "copies of what is not read again soon",
                "dev.tailwater.io.copy.StreamingCopy",
                conclusions.getLast().text()));
      }
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  private static OptionalDouble article(String size) {
    if (ARTICLE_SMALL.contains(size)) {
      return OptionalDouble.of(SMALL_RATIO);
    }
    return ARTICLE_LARGE.contains(size) ? OptionalDouble.of(LARGE_RATIO) : OptionalDouble.empty();
  }

  /** The combinations of all parameters but the way. */
  private static List<Map<String, String>> groups(ResultTable table) {
    return table.rows().stream()
        .map(
            row -> {
              Map<String, String> where = new LinkedHashMap<>();
              for (int i = 0; i < table.parameters().size(); i++) {
                where.put(table.parameters().get(i), row.parameters().get(i));
              }
              where.remove(CopyTables.WAY);
              return where;
            })
        .distinct()
        .toList();
  }

  private static Optional<Contender> copied(
      ResultTable table, Map<String, String> where, CopyVariant.Way way, OptionalDouble article) {
    Map<String, String> row = new LinkedHashMap<>(where);
    row.put(CopyTables.WAY, way.toString());
    String name =
        "%s (%s, %s target)"
            .formatted(way, where.get(CopyTables.SIZE), where.get(CopyTables.TARGET));
    return table
        .series(CopyTables.THROUGHPUT.name(), row)
        .map(series -> new Contender(name, series, article));
  }

  private static Optional<Contender> walked(
      ResultTable table, Map<String, String> where, Copier copier) {
    PollutionVariant words = new PollutionVariant(PollutionVariant.Victim.BESIDE, 0, copier);
    Map<String, String> row = new LinkedHashMap<>(where);
    row.put(CopyTables.WAY, words.copierInWords());
    String name =
        "%s (%s, in %s)"
            .formatted(
                words.copierInWords(),
                where.get(CopyTables.VICTIM),
                where.get(CopyTables.WORKING_SET));
    return Contender.of(name, table, CopyTables.LATENCY.name(), row);
  }

  /** Says how the two compare, and whether the first is shown to be better. */
  private boolean compare(
      Quantity quantity, Optional<Contender> first, Optional<Contender> second) {
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    conclusions.add(Verdict.of(quantity, first.get(), second.get()));
    return Comparison.of(first.get().series(), second.get().series()).isShownBetter(quantity);
  }
}
