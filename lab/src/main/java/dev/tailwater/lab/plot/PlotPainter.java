package dev.tailwater.lab.plot;

import dev.tailwater.lab.result.Plot;
import java.awt.BasicStroke;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/** A painter of plots as SVG. The page adds title, unit and legend. */
public final class PlotPainter {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 340;
  private static final int BAR = 15;
  private static final int LONG_NAME = 14;
  private static final int MANY = 10;

  private PlotPainter() {}

  /**
   * Returns the text of one {@code svg} element.
   *
   * @param id for names in it, which are unique on a page
   */
  public static String svg(PlotData data, String id) throws IOException {
    boolean lying = isLying(data);
    int height = lying ? lyingHeight(data) : HEIGHT;
    SvgCanvas canvas = new SvgCanvas(WIDTH, height, id);
    JFreeChart chart = new JFreeChart(null, PlotAxes.FONT, plot(data, lying), false);
    chart.setBackgroundPaint(null);
    chart.setPadding(RectangleInsets.ZERO_INSETS);
    chart.draw(canvas.graphics(), new Rectangle2D.Double(0, 0, WIDTH, height));
    return canvas.text(data.title(), description(data));
  }

  private static XYPlot plot(PlotData data, boolean lying) {
    ValueAxis categories = PlotAxes.categories(data);
    ValueAxis figures = PlotAxes.figures(data);
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

  /** Returns whether bars are horizontal, so that many or long names can be read. */
  private static boolean isLying(PlotData data) {
    return data.shape() == Plot.Shape.BARS
        && (data.categories().size() > MANY
            || data.categories().stream().anyMatch(name -> name.length() > LONG_NAME));
  }

  private static int lyingHeight(PlotData data) {
    int bars = data.categories().size() * Math.max(2, data.lines().size());
    return 60 + BAR * bars + 6 * data.categories().size();
  }

  private static String description(PlotData data) {
    StringBuilder text = new StringBuilder();
    text.append(data.quantity().name()).append(" in ").append(data.quantity().unit());
    text.append(" by ").append(data.along()).append(" (");
    text.append(String.join(", ", data.categories())).append(')');
    for (PlotData.Line line : data.lines()) {
      if (!line.name().isEmpty()) {
        text.append("; ").append(line.name());
      }
    }
    return text.append(". The table below has the figures.").toString();
  }
}
