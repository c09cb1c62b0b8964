package dev.tailwater.lab.report;

import dev.tailwater.lab.compare.ComparedExperiment;
import dev.tailwater.lab.compare.ComparedRow;
import dev.tailwater.lab.compare.ComparedTable;
import dev.tailwater.lab.compare.LabComparison;
import dev.tailwater.lab.compare.Pair;
import dev.tailwater.lab.plot.Fonts;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.report.CompareView.ExperimentView;
import dev.tailwater.lab.report.CompareView.Row;
import dev.tailwater.lab.report.CompareView.Table;
import dev.tailwater.lab.report.PageView.PlotView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A comparison of two results as a page of HTML. */
public final class ComparePage {
  private ComparePage() {}

  /** Returns the page. */
  public static String html(LabComparison comparison) throws IOException {
    List<Pair> facts = new ArrayList<>(comparison.runs());
    facts.addAll(comparison.host());
    List<ExperimentView> experiments = new ArrayList<>();
    for (ComparedExperiment experiment : comparison.experiments()) {
      experiments.add(view(experiment, experiments.size()));
    }
    return Templates.fill(
        "compare.mustache",
        new CompareView(
            Templates.css(),
            comparison.names().first(),
            comparison.names().second(),
            facts,
            experiments));
  }

  private static ExperimentView view(ComparedExperiment experiment, int number) throws IOException {
    String missing = experiment.plots().isEmpty() ? "" : Fonts.missing().orElse("");
    List<PlotView> plots = new ArrayList<>();
    if (missing.isEmpty()) {
      for (PlotData data : experiment.plots()) {
        PlotViews.of(data, "plot-" + number + "-" + plots.size()).ifPresent(plots::add);
      }
    }
    return new ExperimentView(
        experiment.name(),
        experiment.question(),
        experiment.conditions(),
        experiment.remarks(),
        missing,
        plots,
        experiment.tables().stream().map(ComparePage::table).toList());
  }

  private static Table table(ComparedTable table) {
    return new Table(
        table.title(), table.parameters(), table.rows().stream().map(ComparePage::row).toList());
  }

  private static Row row(ComparedRow row) {
    return new Row(
        row.parameters(),
        row.quantity().name(),
        row.quantity().unit(),
        Numbers.median(row.first()),
        Numbers.interval(row.first()),
        Numbers.median(row.second()),
        Numbers.interval(row.second()),
        row.hasRatio() ? Numbers.text(row.comparison().ratio()) + " ×" : "–",
        Words.kind(row.comparison().certainty()),
        Words.certainty(row.comparison().certainty()));
  }
}
