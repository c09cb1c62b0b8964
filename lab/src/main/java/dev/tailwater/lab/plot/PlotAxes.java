package dev.tailwater.lab.plot;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;

/** The axes of a plot: one of categories, one of figures. */
final class PlotAxes {

  private static final double HEADROOM = 1.06;
  private static final double LOG_HEADROOM = 0.15;

  private final PlotData data;
  private final PlotSize size;
  private final boolean lying;

  /**
   * @param lying whether bars are horizontal
   */
  PlotAxes(PlotData data, PlotSize size, boolean lying) {
    this.data = data;
    this.size = size;
    this.lying = lying;
  }

  /** Returns the axis of categories, which are at whole numbers from 0. */
  ValueAxis categories() {
    String[] names = data.categories().stream().map(size::shortened).toArray(String[]::new);
    SymbolAxis axis = new SymbolAxis(data.along(), names);
    axis.setGridBandsVisible(false);
    axis.setRange(-0.5, data.categories().size() - 0.5);
    axis.setTickMarksVisible(false);
    return painted(axis);
  }

  /**
   * Returns the axis of figures. It starts at zero, or at a power of ten; then it shows the
   * figures' logarithms.
   */
  ValueAxis figures() {
    int mostTicks = size.mostTicks(lying);
    double most = figuresOf(data).max().orElse(1);
    NumberAxis axis = new NumberAxis();
    if (data.logarithmic()) {
      double low = Math.floor(place(data, figuresOf(data).min().orElse(1)));
      axis.setRange(low, Math.max(low + 1, place(data, most) + LOG_HEADROOM));
      axis.setTickUnit(new NumberTickUnit(tickDecades(axis.getRange().getLength(), mostTicks)));
      axis.setNumberFormatOverride(new ShortNumbers(true));
    } else {
      axis.setRange(0, most > 0 ? most * HEADROOM : 1);
      axis.setTickUnit(new NumberTickUnit(step(axis.getUpperBound(), mostTicks)));
      axis.setNumberFormatOverride(new ShortNumbers(false));
    }
    return painted(axis);
  }

  /**
   * Returns the place of a figure on its axis. An axis of logarithms replaces the library's
   * logarithmic axis, which draws its labels as outlines instead of text.
   */
  static double place(PlotData data, double figure) {
    return data.logarithmic() ? Math.log10(figure) : figure;
  }

  /** Returns the least of one, two or five times a power of ten that gives few enough ticks. */
  private static double step(double length, int mostTicks) {
    double power = Math.pow(10, Math.floor(Math.log10(length / mostTicks)));
    double digits = length / mostTicks / power;
    return digits <= 1 ? power : digits <= 2 ? 2 * power : digits <= 5 ? 5 * power : 10 * power;
  }

  private static double tickDecades(double decades, int mostTicks) {
    return Math.max(1, Math.ceil(decades / mostTicks));
  }

  private static DoubleStream figuresOf(PlotData data) {
    return data.lines().stream()
        .flatMap(line -> line.points().stream())
        .flatMapToDouble(
            point ->
                DoubleStream.concat(
                    DoubleStream.of(point.interval().low(), point.interval().high()),
                    point.article().stream()
                        .flatMapToDouble(
                            article -> DoubleStream.of(article.low(), article.high()))));
  }

  private ValueAxis painted(ValueAxis axis) {
    axis.setAxisLineVisible(false);
    axis.setLabelPaint(Palette.TEXT);
    axis.setTickLabelPaint(Palette.TEXT);
    axis.setTickMarkPaint(Palette.GRID);
    axis.setLabelFont(size.font());
    axis.setTickLabelFont(size.font());
    return axis;
  }

  /**
   * Formats numbers with no more digits than necessary: {@code 0.5}, {@code 20,000}, {@code 3e9}.
   */
  private static final class ShortNumbers extends NumberFormat {
    private static final long serialVersionUID = 1L;
    private static final double LONG = 1e7;

    private final boolean exponents;

    /**
     * @param exponents whether numbers are exponents of ten
     */
    ShortNumbers(boolean exponents) {
      this.exponents = exponents;
    }

    @Override
    public StringBuffer format(double place, StringBuffer text, FieldPosition position) {
      double number = exponents ? Math.pow(10, Math.rint(place)) : place;
      if (number != 0 && (Math.abs(number) >= LONG || Math.abs(number) < 1e-4)) {
        return text.append(String.format(Locale.ROOT, "%.3g", number).replaceAll("\\.?0+e", "e"));
      }
      String plain = String.format(Locale.ROOT, "%,.6f", number);
      return text.append(plain.replaceAll("\\.?0+$", ""));
    }

    @Override
    public StringBuffer format(long number, StringBuffer text, FieldPosition position) {
      return format((double) number, text, position);
    }

    @Override
    public Number parse(String text, ParsePosition position) {
      throw new IllegalStateException("axes are drawn and not read");
    }
  }
}
