package dev.tailwater.lab.memory;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Ranking;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.plot.PlotData.Line;
import dev.tailwater.lab.plot.PlotData.Point;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code copy}: the ways compared with System.arraycopy, as the article does. */
final class CopyHeadline {
  private static final String ARTICLE =
      "memcpy 1.1 to 1.15 × System.arraycopy at 8 to 128 KiB, and 1.6 to 1.9 × at large sizes";
  private static final Interval ARTICLE_SMALL = new Interval(1.1, 1.15);
  private static final Interval ARTICLE_LARGE = new Interval(1.6, 1.9);
  private static final Quantity COMPARED =
      Quantity.more("throughput compared with System.arraycopy", "times");
  private static final String TARGET = "cold";

  private CopyHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(CopyTables.COPY, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(CopyHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    List<String> sizes = table.values(CopyTables.SIZE);
    String large = sizes.getLast();
    List<Contender> contenders =
        table.values(CopyTables.WAY).stream()
            .flatMap(way -> contender(table, way, large).stream())
            .toList();
    return Ranking.of(CopyTables.THROUGHPUT, contenders)
        .map(
            ranking ->
                new Headline(
                    plot(table, sizes),
                    ranking.conclusion(
                        "for " + large + " into memory that no cache holds",
                        contender(table, CopyVariant.Way.ARRAYCOPY.toString(), large)),
                    ARTICLE));
  }

  private static PlotData plot(ResultTable table, List<String> sizes) {
    List<Line> lines = new ArrayList<>();
    for (String way : table.values(CopyTables.WAY)) {
      if (!way.equals(CopyVariant.Way.ARRAYCOPY.toString())) {
        lines.add(new Line(way, points(table, way, sizes)));
      }
    }
    return new PlotData(
        "Copies compared with System.arraycopy, by size",
        COMPARED,
        CopyTables.SIZE,
        sizes,
        lines.stream().filter(line -> !line.points().isEmpty()).toList(),
        Plot.Shape.BARS,
        false);
  }

  private static List<Point> points(ResultTable table, String way, List<String> sizes) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      Optional<Contender> copy = contender(table, way, sizes.get(i));
      Optional<Contender> array =
          contender(table, CopyVariant.Way.ARRAYCOPY.toString(), sizes.get(i));
      if (copy.isPresent() && array.isPresent()) {
        Point.of(
                i,
                copy.get().series().dividedBy(array.get().series()),
                way.equals(CopyVariant.Way.MEMCPY.toString())
                    ? article(sizes.get(i))
                    : Optional.empty())
            .ifPresent(points::add);
      }
    }
    return points;
  }

  private static Optional<Interval> article(String size) {
    if (CopyConclusions.ARTICLE_SMALL.contains(size)) {
      return Optional.of(ARTICLE_SMALL);
    }
    return CopyConclusions.ARTICLE_LARGE.contains(size)
        ? Optional.of(ARTICLE_LARGE)
        : Optional.empty();
  }

  private static Optional<Contender> contender(ResultTable table, String way, String size) {
    return Contender.of(
        way,
        table,
        CopyTables.THROUGHPUT.name(),
        Map.of(CopyTables.WAY, way, CopyTables.SIZE, size, CopyTables.TARGET, TARGET));
  }
}
