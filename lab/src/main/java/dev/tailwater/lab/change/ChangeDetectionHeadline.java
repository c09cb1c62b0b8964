package dev.tailwater.lab.change;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.plot.PlotData.Line;
import dev.tailwater.lab.plot.PlotData.Point;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of {@code change-detection}: the ways compared with polling, as the article does,
 * while all files change.
 */
final class ChangeDetectionHeadline {
  private static final String ARTICLE =
      "inotify took half the processor time of polling when each file changed once a second, much"
          + " less when few changed, and more at ten times a second";
  private static final String ONCE = "1";
  private static final Quantity COMPARED =
      Quantity.less("processor time compared with polling", "times");

  private ChangeDetectionHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(ChangeTable.TITLE, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(ChangeDetectionHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    String files = table.values(ChangeTable.FILES).getLast();
    Optional<Series> polling = processor(table, ChangeWay.POLLING, files, ONCE);
    Optional<Series> inotify = processor(table, ChangeWay.INOTIFY, files, ONCE);
    Optional<Series> hybrid = processor(table, ChangeWay.HYBRID, files, ONCE);
    if (polling.isEmpty() || inotify.isEmpty() || hybrid.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Headline(
            plot(table, files),
            verdict(polling.get(), inotify.get(), hybrid.get(), files),
            ARTICLE));
  }

  private static Conclusion verdict(Series polling, Series inotify, Series hybrid, String files) {
    Comparison ours = Comparison.of(hybrid, polling);
    Comparison events = Comparison.of(inotify, polling);
    Certainty certainty =
        ours.certainty() == Certainty.TOO_NOISY ? ours.certainty() : events.certainty();
    String text =
        "%s%s files that change once a second cost polling %s %% of a processor, inotify %s %% and the hybrid %s %%."
            .formatted(
                certainty == Certainty.TOO_NOISY ? "Too noisy to rank: " : "",
                files,
                Figures.text(polling.median()),
                Figures.text(inotify.median()),
                Figures.text(hybrid.median()));
    return new Conclusion(certainty, text);
  }

  private static PlotData plot(ResultTable table, String files) {
    List<String> rates =
        table.rows().stream()
            .filter(row -> table.matches(row, Map.of(ChangeTable.FILES, files)))
            .map(row -> row.parameters().get(table.parameters().indexOf(ChangeTable.RATE)))
            .distinct()
            .toList();
    List<Line> lines = new ArrayList<>();
    for (ChangeWay way : ChangeWay.values()) {
      if (way != ChangeWay.POLLING) {
        lines.add(new Line(way.words(), points(table, way, files, rates)));
      }
    }
    return new PlotData(
        "Processor time compared with polling, while all of " + files + " files change",
        COMPARED,
        ChangeTable.RATE,
        rates,
        lines.stream().filter(line -> !line.points().isEmpty()).toList(),
        Plot.Shape.BARS,
        true);
  }

  private static List<Point> points(
      ResultTable table, ChangeWay way, String files, List<String> rates) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      Optional<Series> one = processor(table, way, files, rates.get(i));
      Optional<Series> polling = processor(table, ChangeWay.POLLING, files, rates.get(i));
      boolean told = way == ChangeWay.INOTIFY && rates.get(i).equals(ONCE);
      if (one.isPresent() && polling.isPresent()) {
        Point.of(
                i,
                one.get().dividedBy(polling.get()),
                told ? Optional.of(article()) : Optional.empty())
            .filter(point -> point.interval().low() > 0) // A logarithmic axis has no zero.
            .ifPresent(points::add);
      }
    }
    return points;
  }

  private static Interval article() {
    return new Interval(ChangeConclusions.ARTICLE_ONCE, ChangeConclusions.ARTICLE_ONCE);
  }

  private static Optional<Series> processor(
      ResultTable table, ChangeWay way, String files, String rate) {
    return table.series(
        ChangeTable.PROCESSOR.name(),
        Map.of(ChangeTable.WAY, way.words(), ChangeTable.FILES, files, ChangeTable.RATE, rate));
  }
}
