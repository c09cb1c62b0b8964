package dev.tailwater.lab.report;

import dev.tailwater.lab.Headlines;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.plot.Fonts;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.report.PageView.ConclusionView;
import dev.tailwater.lab.report.PageView.ConditionView;
import dev.tailwater.lab.report.PageView.ExperimentView;
import dev.tailwater.lab.report.PageView.OtherView;
import dev.tailwater.lab.report.PageView.PlotView;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Plot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The experiments of a page: a plot and a sentence each, and all the rest folded. */
final class ExperimentViews {
  private ExperimentViews() {}

  /**
   * Returns the view of an experiment that was measured.
   *
   * @param number unique on the page
   */
  static ExperimentView measured(ExperimentResult experiment, int number) throws IOException {
    Optional<Headline> headline = Headlines.of(experiment);
    Optional<String> noFonts = experiment.plots().isEmpty() ? Optional.empty() : Fonts.missing();
    List<PlotView> lead = new ArrayList<>();
    List<PlotView> plots = new ArrayList<>();
    if (noFonts.isEmpty()) {
      if (headline.isPresent()) {
        PlotViews.forCard(headline.get().plot(), "lead-" + number).ifPresent(lead::add);
      }
      plots.addAll(plots(experiment, number));
    }
    List<TableView> tables = experiment.tables().stream().map(TableView::of).toList();
    return new ExperimentView(
        experiment.name(),
        experiment.question(),
        experiment.article().map(Articles::title).orElse(""),
        headline.map(Headline::article).orElse(""),
        headline.map(Headline::verdict).stream().map(ExperimentViews::conclusion).toList(),
        Numbers.time(Duration.ofMillis(experiment.elapsedMillis())),
        experiment.leftOut().orElse(""),
        noFonts.orElse(""),
        lead,
        folded(experiment.conclusions().size(), plots.size(), tables.size()),
        experiment.conclusions().stream().map(ExperimentViews::conclusion).toList(),
        plots,
        tables,
        experiment.conditions().entrySet().stream()
            .map(entry -> new ConditionView(entry.getKey(), entry.getValue()))
            .toList());
  }

  /** Returns the view of an experiment that was skipped or failed. */
  static OtherView other(ExperimentResult experiment) {
    return new OtherView(
        experiment.name(),
        experiment.question(),
        experiment.failed().isPresent() ? "failed" : "skipped",
        experiment.failed().or(experiment::skipped).orElse(""));
  }

  private static String folded(int conclusions, int plots, int tables) {
    List<String> parts = new ArrayList<>();
    count(parts, conclusions, "conclusion");
    count(parts, plots, "plot");
    count(parts, tables, "table");
    return parts.isEmpty() ? "Conditions" : "Details: " + String.join(", ", parts);
  }

  private static void count(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(count + " " + what + (count == 1 ? "" : "s"));
    }
  }

  private static List<PlotView> plots(ExperimentResult experiment, int number) throws IOException {
    List<PlotView> plots = new ArrayList<>();
    for (Plot plot : experiment.plots()) {
      PlotData data = PlotData.of(plot, experiment.tableOf(plot));
      PlotViews.of(data, "plot-" + number + "-" + plots.size()).ifPresent(plots::add);
    }
    return plots;
  }

  private static ConclusionView conclusion(Conclusion conclusion) {
    return new ConclusionView(
        Words.kind(conclusion.certainty()),
        Words.certainty(conclusion.certainty()),
        conclusion.text());
  }
}
