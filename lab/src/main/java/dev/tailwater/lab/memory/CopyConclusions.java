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

/** The conclusions from the tables of {@code copy}. */
final class CopyConclusions {
  static final List<String> ARTICLE_SMALL = List.of("8 KiB", "32 KiB", "128 KiB");
  static final List<String> ARTICLE_LARGE = List.of("8 MiB", "64 MiB");

  /** The article's results in words: ranges, with which no ratio can be compared. */
  static final String ARTICLE =
      "memcpy against System.arraycopy: 10 to 15 % more throughput at 8 to 128 KiB, 60 to 90 % at"
          + " large sizes";

  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  CopyConclusions(ResultTable copy, ResultTable pollution) {
    for (Map<String, String> where : groups(copy)) {
      String size = Optional.ofNullable(where.get(CopyTables.SIZE)).orElseThrow();
      String target = Optional.ofNullable(where.get(CopyTables.TARGET)).orElseThrow();
      Optional<Contender> array = copied(copy, where, CopyVariant.Way.ARRAYCOPY);
      compare(
          CopyTables.THROUGHPUT,
          copied(copy, where, CopyVariant.Way.MEMCPY),
          array,
          target.equals("cold") ? article(size) : "");
      for (CopyVariant.Way way : List.of(CopyVariant.Way.SEGMENT, CopyVariant.Way.NON_TEMPORAL)) {
        compare(CopyTables.THROUGHPUT, copied(copy, where, way), array, "");
      }
    }
    for (Map<String, String> where : groups(pollution)) {
      Optional<Contender> ordinary = walked(pollution, where, Copier.ARRAYCOPY);
      compare(CopyTables.LATENCY, ordinary, walked(pollution, where, Copier.NONE), "");
      if (compare(CopyTables.LATENCY, walked(pollution, where, Copier.STREAMING), ordinary, "")) {
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

  /** Returns the article's result for this size, as a sentence to be appended. */
  private static String article(String size) {
    if (ARTICLE_SMALL.contains(size)) {
      return " The article had 10 to 15 % more at 8 to 128 KiB.";
    }
    return ARTICLE_LARGE.contains(size) ? " The article had 60 to 90 % more at large sizes." : "";
  }

  /** Returns the combinations of all parameters except the way. */
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
      ResultTable table, Map<String, String> where, CopyVariant.Way way) {
    Map<String, String> row = new LinkedHashMap<>(where);
    row.put(CopyTables.WAY, way.toString());
    String name =
        "%s (%s, %s target)"
            .formatted(way, where.get(CopyTables.SIZE), where.get(CopyTables.TARGET));
    return Contender.of(name, table, CopyTables.THROUGHPUT.name(), row);
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

  /**
   * Concludes how the two compare; returns whether the first is shown to be better.
   *
   * @param article a sentence to be appended; may be empty
   */
  private boolean compare(
      Quantity quantity, Optional<Contender> first, Optional<Contender> second, String article) {
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    Conclusion verdict = Verdict.of(quantity, first.get(), second.get());
    conclusions.add(new Conclusion(verdict.certainty(), verdict.text() + article));
    return Comparison.of(first.get().series(), second.get().series()).isShownBetter(quantity);
  }
}
