package dev.tailwater.lab.plot;

import java.awt.Font;
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
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

  private static final double HEADROOM = 1.06;
  private static final double LOG_HEADROOM = 0.15;
  private static final double MOST_DECADES = 8;

  private PlotAxes() {}

  /** Returns the axis of categories, which are at whole numbers from 0. */
  static ValueAxis categories(PlotData data) {
    SymbolAxis axis = new SymbolAxis(data.along(), data.categories().toArray(new String[0]));
    axis.setGridBandsVisible(false);
    axis.setRange(-0.5, data.categories().size() - 0.5);
    axis.setTickMarksVisible(false);
    return painted(axis);
  }

  /**
   * Returns the axis of figures. It starts at zero, or at a power of ten; then it shows the
   * figures' logarithms.
   */
  static ValueAxis figures(PlotData data) {
    double most = figuresOf(data).max().orElse(1);
    NumberAxis axis = new NumberAxis();
    if (data.logarithmic()) {
      double low = Math.floor(place(data, figuresOf(data).min().orElse(1)));
      axis.setRange(low, Math.max(low + 1, place(data, most) + LOG_HEADROOM));
      axis.setTickUnit(new NumberTickUnit(tickDecades(axis.getRange().getLength())));
      axis.setNumberFormatOverride(new ShortNumbers(true));
    } else {
      axis.setRange(0, most > 0 ? most * HEADROOM : 1);
      axis.setTickUnit(new NumberTickUnit(step(axis.getUpperBound())));
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

  /** Returns one, two or five times a power of ten; five to ten of these steps fill the axis. */
  private static double step(double length) {
    double power = Math.pow(10, Math.floor(Math.log10(length)));
    double digits = length / power;
    return digits >= 5 ? power : digits >= 2 ? power / 2 : power / 5;
  }

  private static double tickDecades(double decades) {
    return Math.max(1, Math.ceil(decades / MOST_DECADES));
  }

  private static DoubleStream figuresOf(PlotData data) {
    return data.lines().stream()
        .flatMap(line -> line.points().stream())
        .flatMapToDouble(
            point ->
                DoubleStream.concat(
                    DoubleStream.of(point.interval().low(), point.interval().high()),
                    point.article().stream()));
  }

  private static ValueAxis painted(ValueAxis axis) {
    axis.setAxisLineVisible(false);
    axis.setLabelPaint(Palette.TEXT);
    axis.setTickLabelPaint(Palette.TEXT);
    axis.setTickMarkPaint(Palette.GRID);
    axis.setLabelFont(FONT);
    axis.setTickLabelFont(FONT);
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
