package dev.tailwater.lab.report;

import dev.tailwater.lab.compare.Pair;
import dev.tailwater.lab.report.PageView.PlotView;
import java.util.List;

/**
 * What the template of a comparison shows. Everything is plain text, which the template escapes;
 * only {@code css} and what is drawn go in as they are.
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
