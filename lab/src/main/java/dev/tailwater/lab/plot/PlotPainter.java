package dev.tailwater.lab.plot;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Plot;
import java.awt.BasicStroke;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.util.stream.Collectors;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/** A painter of plots as SVG. The page adds title, unit and legend. */
public final class PlotPainter {
  /** The most points whose figures a description has; more of them are in a table. */
  private static final int MOST_DESCRIBED = 60;

  private PlotPainter() {}

  /**
   * Returns the text of one {@code svg} element.
   *
   * @param id for names in it, which are unique on a page
   */
  public static String svg(PlotData data, String id, PlotSize size) throws IOException {
    boolean lying = size.isLying(data);
    int height = lying ? size.lyingHeight(data) : size.height();
    SvgCanvas canvas = new SvgCanvas(size.width(), height, id);
    JFreeChart chart = new JFreeChart(null, size.font(), plot(data, size, lying), false);
    chart.setBackgroundPaint(null);
    chart.setPadding(RectangleInsets.ZERO_INSETS);
    chart.draw(canvas.graphics(), new Rectangle2D.Double(0, 0, size.width(), height));
    return canvas.text(data.title(), description(data));
  }

  private static XYPlot plot(PlotData data, PlotSize size, boolean lying) {
    PlotAxes axes = new PlotAxes(data, size, lying);
    ValueAxis categories = axes.categories();
    ValueAxis figures = axes.figures();
    PlotLayers layers = new PlotLayers(data, figures.getLowerBound());
    XYPlot plot = new XYPlot(null, categories, figures, null);
    int layer = 0;
    if (data.shape() == Plot.Shape.BARS) {
      plot.setDataset(layer, layers.barsOnly());
      plot.setRenderer(layer++, layers.barRenderer());
    }
    plot.setDataset(layer, layers.measured());
    plot.setRenderer(layer++, layers.measuredRenderer());
    plot.setDataset(layer, layers.article());
    plot.setRenderer(layer, layers.articleRenderer());
    plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    plot.setOrientation(lying ? PlotOrientation.HORIZONTAL : PlotOrientation.VERTICAL);
    if (lying) {
      categories.setInverted(true);
      categories.setLabel(null);
    }
    plot.setBackgroundPaint(null);
    plot.setOutlineVisible(false);
    plot.setDomainGridlinesVisible(false);
    plot.setRangeGridlinePaint(Palette.GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1f));
    plot.setRangeZeroBaselineVisible(false);
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    plot.setInsets(new RectangleInsets(8, 4, 4, 14));
    return plot;
  }

  /** Returns what the plot shows, for those who do not see it. */
  private static String description(PlotData data) {
    StringBuilder text = new StringBuilder();
    text.append(data.quantity().name()).append(" in ").append(data.quantity().unit());
    text.append(" by ").append(data.along());
    long points = data.lines().stream().mapToLong(line -> line.points().size()).sum();
    for (PlotData.Line line : data.lines()) {
      text.append("; ").append(line.name().isEmpty() ? "" : line.name() + ": ");
      text.append(
          line.points().stream()
              .limit(points > MOST_DESCRIBED ? 0 : MOST_DESCRIBED)
              .map(point -> described(data, point))
              .collect(Collectors.joining(", ")));
    }
    return text.append(". The table below has the figures.").toString();
  }

  private static String described(PlotData data, PlotData.Point point) {
    String article =
        point
            .article()
            .map(
                range ->
                    range.low() == range.high()
                        ? " (article " + Figures.text(range.low()) + ")"
                        : " (article "
                            + Figures.text(range.low())
                            + " to "
                            + Figures.text(range.high())
                            + ")")
            .orElse("");
    return data.categories().get(point.category()) + " " + Figures.text(point.median()) + article;
  }
}
