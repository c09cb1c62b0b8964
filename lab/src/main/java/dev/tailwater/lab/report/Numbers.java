package dev.tailwater.lab.report;

import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Series;
import java.time.Duration;
import java.util.Locale;

/** The formatting of figures for people. */
public final class Numbers {
  private static final double MOST_DIGITS = 1e15;
  private static final int SIGNIFICANT = 3;

  private Numbers() {}

  /**
   * Formats three significant digits, and all before the point: {@code 0.0772}, {@code 1.50},
   * {@code 36,857}.
   */
  public static String text(double value) {
    double size = Math.abs(value);
    if (value == 0) {
      return "0";
    }
    if (size >= MOST_DIGITS || size < 1e-6) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    int digitsBefore = (int) Math.floor(Math.log10(size)) + 1;
    int decimals = Math.max(0, SIGNIFICANT - digitsBefore);
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** Formats the median; a count is a whole number. */
  public static String median(Series series) {
    boolean counted = series.samples().stream().allMatch(Numbers::isWhole);
    double median = series.median();
    return counted && isWhole(median) ? String.format(Locale.ROOT, "%,.0f", median) : text(median);
  }

  /** Formats the interval: {@code 7.69 – 7.81}; empty if it is one value. */
  public static String interval(Series series) {
    Interval interval = series.interval();
    return interval.low() == interval.high()
        ? ""
        : text(interval.low()) + " – " + text(interval.high());
  }

  /** Formats what the article printed, {@code 36857} or {@code 0.077}. */
  public static String article(double value) {
    return isWhole(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : text(value).replaceAll("(\\.\\d*?)0+$", "$1");
  }

  /** Formats a duration: {@code 8.1 s}, {@code 3 min 20 s}. */
  public static String time(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < 10) {
      return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) < MOST_DIGITS;
  }
}
