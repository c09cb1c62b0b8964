package dev.tailwater.lab.report;

import dev.tailwater.lab.compare.Pair;
import dev.tailwater.lab.report.PageView.PlotView;
import java.util.List;

/**
 * The content of a comparison's template. Everything is plain text, which the template escapes,
 * except {@code css} and the drawings, which it inserts unchanged.
 */
record CompareView(
    String css, String first, String second, List<Pair> facts, List<ExperimentView> experiments) {
  boolean hasFacts() {
    return !facts.isEmpty();
  }

  record ExperimentView(
      String name,
      String question,
      List<Pair> conditions,
      List<String> remarks,
      String plotsMissing,
      List<PlotView> plots,
      List<Table> tables) {
    boolean hasConditions() {
      return !conditions.isEmpty();
    }
  }

  record Table(String title, List<String> parameters, List<Row> rows) {}

  record Row(
      List<String> parameters,
      String quantity,
      String unit,
      String first,
      String firstInterval,
      String second,
      String secondInterval,
      String ratio,
      String kind,
      String certainty) {}
}
