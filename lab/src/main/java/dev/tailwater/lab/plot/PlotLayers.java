package dev.tailwater.lab.plot;

import dev.tailwater.lab.plot.PlotData.Line;
import dev.tailwater.lab.plot.PlotData.Point;
import dev.tailwater.lab.result.Plot;
import java.awt.BasicStroke;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.IntervalXYDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** The layers of a plot: bars or lines, intervals, and the figures of the article. */
final class PlotLayers {
  /** The part of a category's width that its bars fill. */
  private static final double FILLED = 0.8;

  /** The distance between lines in a category, so that their intervals do not hide each other. */
  private static final double APART = 0.035;

  private static final double MARK = 8;
  private static final double RING = 13;
  private static final BasicStroke THIN = new BasicStroke(1.5f);
  private static final BasicStroke DASHED =
      new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {2, 4}, 0);

  private final PlotData data;
  private final double base;

  /**
   * @param base where bars begin
   */
  PlotLayers(PlotData data, double base) {
    this.data = data;
    this.base = base;
  }

  private boolean bars() {
    return data.shape() == Plot.Shape.BARS;
  }

  /** Returns the medians with their intervals; for bars, the intervals only. */
  IntervalXYDataset measured() {
    XYIntervalSeriesCollection series = new XYIntervalSeriesCollection();
    for (int i = 0; i < data.lines().size(); i++) {
      XYIntervalSeries one = new XYIntervalSeries(i);
      for (Point point : data.lines().get(i).points()) {
        double at = position(point, i);
        one.add(
            at,
            at,
            at,
            place(point.median()),
            place(point.interval().low()),
            place(point.interval().high()));
      }
      series.addSeries(one);
    }
    return series;
  }

  XYItemRenderer measuredRenderer() {
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    renderer.setDrawYError(true);
    renderer.setErrorStroke(THIN);
    renderer.setCapLength(7);
    renderer.setDefaultLinesVisible(!bars());
    renderer.setDefaultShapesVisible(!bars());
    for (int i = 0; i < data.lines().size(); i++) {
      renderer.setSeriesPaint(i, bars() ? Palette.INK : Palette.line(i));
      renderer.setSeriesStroke(i, Palette.stroke(i));
      renderer.setSeriesShape(i, Palette.shape(i, MARK));
    }
    return renderer;
  }

  /** Returns the bars, from the base to the median. */
  IntervalXYDataset barsOnly() {
    XYIntervalSeriesCollection series = new XYIntervalSeriesCollection();
    double half = barStep() / 2 * 0.92;
    for (int i = 0; i < data.lines().size(); i++) {
      XYIntervalSeries one = new XYIntervalSeries(i);
      for (Point point : data.lines().get(i).points()) {
        double at = position(point, i);
        double median = place(point.median());
        one.add(at, at - half, at + half, median, base, median);
      }
      series.addSeries(one);
    }
    return series;
  }

  XYItemRenderer barRenderer() {
    XYBarRenderer renderer = new XYBarRenderer();
    renderer.setBarPainter(new StandardXYBarPainter());
    renderer.setShadowVisible(false);
    renderer.setDrawBarOutline(false);
    renderer.setUseYInterval(true);
    for (int i = 0; i < data.lines().size(); i++) {
      renderer.setSeriesPaint(i, Palette.line(i));
    }
    return renderer;
  }

  /** Returns the figures that the article reported. */
  IntervalXYDataset article() {
    XYIntervalSeriesCollection series = new XYIntervalSeriesCollection();
    for (int i = 0; i < data.lines().size(); i++) {
      XYIntervalSeries one = new XYIntervalSeries(i);
      Line line = data.lines().get(i);
      for (Point point : line.points()) {
        double at = position(point, i);
        point
            .article()
            .ifPresent(
                article ->
                    DoubleStream.of(article.low(), article.high())
                        .distinct()
                        .map(this::place)
                        .forEach(value -> one.add(at, at, at, value, value, value)));
      }
      series.addSeries(one);
    }
    return series;
  }

  /**
   * Returns a renderer of hollow marks, larger than those of the measurements, so that both are
   * visible where they agree.
   */
  XYItemRenderer articleRenderer() {
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(!bars(), true);
    // On bars the marks are filled; otherwise they would be lost in the colour.
    renderer.setDefaultShapesFilled(bars());
    renderer.setUseFillPaint(true);
    renderer.setDefaultFillPaint(Palette.PAGE);
    renderer.setUseOutlinePaint(true);
    for (int i = 0; i < data.lines().size(); i++) {
      renderer.setSeriesPaint(i, bars() ? Palette.INK : Palette.line(i));
      renderer.setSeriesOutlinePaint(i, bars() ? Palette.INK : Palette.line(i));
      renderer.setSeriesOutlineStroke(i, THIN);
      renderer.setSeriesStroke(i, DASHED);
      renderer.setSeriesShape(i, Palette.shape(bars() ? 3 : i, bars() ? MARK : RING));
    }
    return renderer;
  }

  private double place(double figure) {
    return PlotAxes.place(data, figure);
  }

  private double position(Point point, int line) {
    if (!bars()) {
      return point.category() + (line - (data.lines().size() - 1) / 2.0) * APART;
    }
    int[] present = linesIn(point.category()).toArray();
    int place = (int) IntStream.of(present).filter(other -> other < line).count();
    return point.category() + (place - (present.length - 1) / 2.0) * barStep();
  }

  private double barStep() {
    long most =
        IntStream.range(0, data.categories().size())
            .mapToLong(category -> linesIn(category).count())
            .max()
            .orElse(1);
    return FILLED / Math.max(1, most);
  }

  /**
   * Returns the lines that have a bar in the category. Bars are next to each other, without room
   * for missing ones.
   */
  private IntStream linesIn(int category) {
    return IntStream.range(0, data.lines().size())
        .filter(
            line ->
                data.lines().get(line).points().stream()
                    .anyMatch(point -> point.category() == category));
  }
}
