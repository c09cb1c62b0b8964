package dev.tailwater.bench.store;

/** A line of bars for rates over time; each step is a factor of about two. */
final class RatePlot {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final double STEP = 2;

  private RatePlot() {}

  /**
   * One bar for each rate.
   *
   * @param full the rate of a full bar
   */
  static String line(double[] rates, double full) {
    StringBuilder line = new StringBuilder();
    for (double rate : rates) {
      double steps = Math.log(Math.max(1, full) / Math.max(1, rate)) / Math.log(STEP);
      long bar = BARS.length() - 1 - Math.round(steps);
      line.append(bar < 0 ? ' ' : BARS.charAt((int) Math.min(bar, BARS.length() - 1L)));
    }
    return line.toString();
  }
}
