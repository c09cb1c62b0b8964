package dev.tailwater.lab.report;

import dev.tailwater.lab.plot.Legend;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.plot.PlotPainter;
import dev.tailwater.lab.plot.PlotSize;
import dev.tailwater.lab.report.PageView.PlotView;
import dev.tailwater.lab.result.Quantity;
import java.io.IOException;
import java.util.Optional;

/** The plots of a page, with their texts. */
final class PlotViews {
  private PlotViews() {}

  /**
   * Draws a plot as wide as the page.
   *
   * @param id unique on the page
   * @return empty if the plot would show nothing
   */
  static Optional<PlotView> of(PlotData data, String id) throws IOException {
    return data.lines().isEmpty()
        ? Optional.empty()
        : Optional.of(view(data, PlotPainter.svg(data, id, PlotSize.PAGE), ""));
  }

  /** Draws a plot for a card, once for a wide page and once for a phone. */
  static Optional<PlotView> forCard(PlotData data, String id) throws IOException {
    return data.lines().isEmpty()
        ? Optional.empty()
        : Optional.of(
            view(
                data,
                PlotPainter.svg(data, id, PlotSize.CARD),
                PlotPainter.svg(data, id + "-phone", PlotSize.PHONE)));
  }

  private static PlotView view(PlotData data, String svg, String phone) {
    return new PlotView(data.title(), caption(data), Legend.of(data), svg, phone);
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
