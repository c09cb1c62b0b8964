package dev.tailwater.lab.compare;

import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.plot.PlotData.Line;
import dev.tailwater.lab.plot.PlotData.Point;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A plot of both results, with each line twice. */
final class PairedPlot {
  private PairedPlot() {}

  static PlotData of(Plot plot, ResultTable first, ResultTable second, Names names) {
    PlotData one = PlotData.of(plot, first);
    PlotData other = PlotData.of(plot, second);
    Set<String> categories = new LinkedHashSet<>(one.categories());
    categories.addAll(other.categories());
    List<String> all = List.copyOf(categories);
    Set<String> lineNames = new LinkedHashSet<>();
    one.lines().forEach(line -> lineNames.add(line.name()));
    other.lines().forEach(line -> lineNames.add(line.name()));
    List<Line> lines = new ArrayList<>();
    for (String name : lineNames) {
      add(lines, one, name, names.first(), all);
      add(lines, other, name, names.second(), all);
    }
    return new PlotData(
        one.title(), one.quantity(), one.along(), all, lines, one.shape(), one.logarithmic());
  }

  private static void add(
      List<Line> lines, PlotData data, String name, String of, List<String> all) {
    for (Line line : data.lines()) {
      if (line.name().equals(name)) {
        List<Point> points = line.points().stream().map(point -> moved(point, data, all)).toList();
        lines.add(new Line(name.isEmpty() ? of : name + ", " + of, points));
      }
    }
  }

  /**
   * Moves a point, and leaves out the article's figure: it is the same for both results, and each
   * report shows it.
   */
  private static Point moved(Point point, PlotData data, List<String> all) {
    int category = all.indexOf(data.categories().get(point.category()));
    return new Point(category, point.median(), point.interval(), Optional.empty());
  }
}
