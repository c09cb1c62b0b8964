package dev.tailwater.bench.agent;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A plot of how many files are in the archive, by how long they lived. Both axes are logarithmic;
 * the vertical one by what is missing, so that 90 %, 99 % and 99.9 % are equally far apart.
 */
final class LifetimesPlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 400;
  private static final int LEFT = 84;
  private static final int TOP = 76;
  private static final int PLOT_WIDTH = WIDTH - LEFT - 30;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - 60;

  /** What is missing where the axis ends; nothing missing is at the end, too. */
  private static final double LEAST_MISSING = 0.02;

  private static final List<Double> GRID = List.of(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0);

  private static final String STYLE =
      """
      text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink) }
      .soft { fill: var(--soft); font-size: 13px } .strong { font-weight: 600 }
      svg { --page: #ffffff; --ink: #1b2430; --soft: #5a6675; --line: #dde2e9; --plot-1: #0072b2; --plot-2: #d55e00; --plot-3: #008f68; --plot-4: #b85c94 }
      @media (prefers-color-scheme: dark) {
        svg { --page: #10151c; --ink: #e6ebf2; --soft: #a3afbf; --line: #303b49; --plot-1: #5aa9e6; --plot-2: #ff8c4a; --plot-3: #3fc79a; --plot-4: #e79ac6 }
      }
      """;

  private static final int COLOURS = 4;

  private final String conditions;
  private final List<Line> lines;

  /**
   * A line of the plot.
   *
   * @param percents the percentage of files in the archive, by lifetime in milliseconds
   */
  record Line(String name, Map<Integer, Double> percents) {}

  /**
   * Creates a plot.
   *
   * @param conditions under which it was measured
   */
  LifetimesPlot(String conditions, List<Line> lines) {
    this.conditions = conditions;
    this.lines = List.copyOf(lines);
  }

  /** Returns the plot as SVG. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title">
        <title id="title">%s</title>
        <style>
        %s</style>
        <rect width="%d" height="%d" rx="10" fill="var(--page)"/>
        """,
        WIDTH,
        HEIGHT,
        escaped(description()),
        STYLE,
        WIDTH,
        HEIGHT);
    label(svg, 16, 24, "start", "strong", "Short-lived files with all their bytes in the archive");
    label(svg, 16, 43, "start", "soft", conditions);
    for (double percent : GRID) {
      double y = y(percent);
      add(svg, "<path d=\"M%d %.1fH%d\" stroke=\"var(--line)\"/>\n", LEFT, y, LEFT + PLOT_WIDTH);
      label(svg, LEFT - 8, y + 4, "end", "soft", figure(percent) + " %");
    }
    lines.stream()
        .flatMap(line -> line.percents().keySet().stream())
        .distinct()
        .forEach(
            millis -> label(svg, x(millis), TOP + PLOT_HEIGHT + 20, "middle", "soft", "" + millis));
    label(svg, LEFT + PLOT_WIDTH / 2.0, HEIGHT - 12, "middle", "soft", "lifetime, milliseconds");
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private String description() {
    StringBuilder text = new StringBuilder("Percentage of files in the archive by lifetime");
    for (Line line : lines) {
      text.append("; ").append(line.name()).append(":");
      line.percents()
          .forEach(
              (millis, percent) ->
                  text.append(" ").append(millis).append(" ms ").append(figure(percent)));
    }
    return text.toString();
  }

  private static void draw(StringBuilder svg, Line line, int index) {
    String colour = "var(--plot-" + (index % COLOURS + 1) + ")";
    StringBuilder path = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    line.percents()
        .forEach(
            (millis, percent) -> {
              add(path, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x(millis), y(percent));
              add(
                  marks,
                  "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>%d ms: %s"
                      + " %%</title></circle>\n",
                  x(millis),
                  y(percent),
                  colour,
                  millis,
                  figure(percent));
            });
    add(svg, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, colour);
    svg.append(marks);
    add(
        svg,
        "<text x=\"%d\" y=\"62\" class=\"soft\"><tspan fill=\"%s\">●</tspan> %s</text>\n",
        LEFT + index * 230,
        colour,
        escaped(line.name()));
  }

  private static double x(int millis) {
    return LEFT + 20 + (PLOT_WIDTH - 40) * Math.log10(millis) / 2;
  }

  private static double y(double percent) {
    double missing = Math.max(LEAST_MISSING, 100 - percent);
    double part =
        (Math.log10(missing) - Math.log10(LEAST_MISSING)) / (2 - Math.log10(LEAST_MISSING));
    return TOP + PLOT_HEIGHT * part;
  }

  private static String figure(double percent) {
    return String.format(Locale.ROOT, "%.1f", percent).replace(".0", "");
  }

  private static void label(
      StringBuilder svg, double x, double y, String anchor, String kind, String text) {
    add(
        svg,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n",
        x,
        y,
        anchor,
        kind,
        escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @FormatMethod
  private static void add(StringBuilder svg, @FormatString String pattern, Object... values) {
    svg.append(String.format(Locale.ROOT, pattern, values));
  }
}
