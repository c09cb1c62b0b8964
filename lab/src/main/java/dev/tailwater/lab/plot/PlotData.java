package dev.tailwater.lab.plot;

import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The data of a plot.
 *
 * @param along the parameter whose values are the categories
 * @param categories along one axis, from the first to the last
 * @param lines those to draw, each with a point for each category that it has one for
 */
public record PlotData(
    String title,
    Quantity quantity,
    String along,
    List<String> categories,
    List<Line> lines,
    Plot.Shape shape,
    boolean logarithmic) {
  private static final double LEAST = 1e-12;
  private static final double MOST = 1e18;

  public PlotData {
    categories = List.copyOf(categories);
    lines = List.copyOf(lines);
  }

  /**
   * A line, or the bars of one colour.
   *
   * @param name empty if there is only one line
   */
  public record Line(String name, List<Point> points) {
    public Line {
      points = List.copyOf(points);
    }
  }

  /**
   * A median with its interval.
   *
   * @param category its index
   * @param article what the article reported of it: from low to high, which are the same for a
   *     single figure
   */
  public record Point(int category, double median, Interval interval, Optional<Interval> article) {
    /** Creates the point of a series; empty if a linear axis has no place for it. */
    public static Optional<Point> of(int category, Series series, Optional<Interval> article) {
      return hasPlace(series, false)
          ? Optional.of(new Point(category, series.median(), series.interval(), article))
          : Optional.empty();
    }
  }

  /** Returns what the plot shows of a table. */
  public static PlotData of(Plot plot, ResultTable table) {
    List<String> categories = values(table, plot.along(), plot.only());
    List<Line> lines = new ArrayList<>();
    if (plot.by().isEmpty()) {
      lines.add(line("", plot, table, categories, plot.only()));
    } else {
      for (String value : values(table, plot.by(), plot.only())) {
        Map<String, String> wanted = new HashMap<>(plot.only());
        wanted.put(plot.by(), value);
        lines.add(line(value, plot, table, categories, wanted));
      }
    }
    return new PlotData(
        plot.title(),
        table.quantities().get(table.column(plot.quantity())),
        plot.along(),
        categories,
        lines.stream().filter(line -> !line.points().isEmpty()).toList(),
        plot.shape(),
        plot.logarithmic());
  }

  /** Returns whether any point has a figure of an article. */
  public boolean hasArticle() {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .anyMatch(point -> point.article().isPresent());
  }

  private static Line line(
      String name,
      Plot plot,
      ResultTable table,
      List<String> categories,
      Map<String, String> wanted) {
    int column = table.column(plot.quantity());
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < categories.size(); i++) {
      Map<String, String> here = new HashMap<>(wanted);
      here.put(plot.along(), categories.get(i));
      int category = i;
      table.rows().stream()
          .filter(row -> table.matches(row, here))
          .findFirst()
          .flatMap(row -> point(category, row, column, plot.logarithmic()))
          .ifPresent(points::add);
    }
    return new Line(name, points);
  }

  /** Returns the point of a row. A logarithmic axis has no place for zero. */
  private static Optional<Point> point(int category, Row row, int column, boolean logarithmic) {
    Optional<Series> measured = row.measured().get(column);
    if (measured.isEmpty() || !hasPlace(measured.get(), logarithmic)) {
      return Optional.empty();
    }
    double median = measured.get().median();
    Interval interval = measured.get().interval();
    double low = logarithmic && interval.low() <= 0 ? median : interval.low();
    OptionalDouble article = row.article().get(column);
    boolean shown = article.isPresent() && hasPlace(Series.of(article.getAsDouble()), logarithmic);
    return Optional.of(
        new Point(
            category,
            median,
            new Interval(low, interval.high()),
            shown
                ? Optional.of(new Interval(article.getAsDouble(), article.getAsDouble()))
                : Optional.empty()));
  }

  /**
   * Returns whether the axis can show all samples. Real measurements are never so small or so large
   * that an axis could not be divided.
   */
  private static boolean hasPlace(Series series, boolean logarithmic) {
    return series.samples().stream()
            .allMatch(value -> value == 0 || (value >= LEAST && value <= MOST))
        && !(logarithmic && series.median() <= 0);
  }

  private static List<String> values(
      ResultTable table, String parameter, Map<String, String> only) {
    int column = table.parameters().indexOf(parameter);
    return table.rows().stream()
        .filter(row -> table.matches(row, only))
        .map(row -> row.parameters().get(column))
        .distinct()
        .toList();
  }
}
