package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Series;

/**
 * A comparison of two series, and whether they are shown to differ.
 *
 * @param ratio of the median of the first to that of the second
 * @param certainty {@code SHOWN}: the intervals do not overlap; {@code NO_DIFFERENCE}: they overlap
 *     and are narrow; {@code TOO_NOISY}: they overlap and are wide, or there are too few samples
 */
public record Comparison(double ratio, Certainty certainty) {
  /**
   * The half width, as a part of its middle, up to which an interval is narrow enough to show that
   * there is no difference.
   */
  static final double NARROW = 0.10;

  /** The least number of samples. With fewer, intervals are too often apart by chance. */
  static final int MIN_SAMPLES = 3;

  /**
   * The number of samples below which no interval contains the median with 95 %: three against
   * three are apart by chance once in ten times. Then they must be apart by more than {@link
   * #NARROW}.
   */
  static final int ENOUGH_SAMPLES = 6;

  /** Returns whether a series has the samples that any conclusion needs. */
  public static boolean isEnough(Series series) {
    return series.samples().size() >= MIN_SAMPLES;
  }

  /** Returns whether the first is shown to have the better median. */
  public boolean isShownBetter(Quantity quantity) {
    return certainty == Certainty.SHOWN
        && switch (quantity.better()) {
          case MORE -> ratio > 1;
          case LESS -> ratio < 1;
          case NONE -> false;
        };
  }

  /** Compares two series that were measured in turns. */
  public static Comparison of(Series one, Series other) {
    double ratio = one.median() / other.median();
    Interval first = one.interval();
    Interval second = other.interval();
    int samples = Math.min(one.samples().size(), other.samples().size());
    if (samples < MIN_SAMPLES) {
      return new Comparison(ratio, Certainty.TOO_NOISY);
    }
    if (first.isApartFrom(second, samples < ENOUGH_SAMPLES ? NARROW : 0)) {
      return new Comparison(ratio, Certainty.SHOWN);
    }
    boolean narrow = first.relativeHalfWidth() <= NARROW && second.relativeHalfWidth() <= NARROW;
    return new Comparison(ratio, narrow ? Certainty.NO_DIFFERENCE : Certainty.TOO_NOISY);
  }
}
