package dev.tailwater.lab.report;

import dev.tailwater.lab.plot.Legend;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.plot.PlotPainter;
import dev.tailwater.lab.report.PageView.PlotView;
import dev.tailwater.lab.result.Quantity;
import java.io.IOException;
import java.util.Optional;

/** The plots of a page, with their texts. */
final class PlotViews {
  private PlotViews() {}

  /**
   * Draws a plot.
   *
   * @param id unique on the page
   * @return empty if the plot would show nothing
   */
  static Optional<PlotView> of(PlotData data, String id) throws IOException {
    if (data.lines().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PlotView(data.title(), caption(data), Legend.of(data), PlotPainter.svg(data, id)));
  }

  private static String caption(PlotData data) {
    Quantity quantity = data.quantity();
    String better =
        switch (quantity.better()) {
          case MORE -> " · more is better";
          case LESS -> " · less is better";
          case NONE -> "";
        };
    return quantity.name()
        + ", "
        + quantity.unit()
        + better
        + (data.logarithmic() ? " · logarithmic" : "");
  }
}
