package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Quantity;

/** A sentence that compares two variants, and says what an article reported of them. */
public final class Verdict {
  private Verdict() {}

  /**
   * Compares two variants that were measured in turns; the ratio is that of the first to the
   * second.
   */
  public static Conclusion of(Quantity quantity, Contender one, Contender other) {
    Comparison comparison = Comparison.of(one.series(), other.series());
    String text =
        switch (comparison.certainty()) {
          case SHOWN -> differing(quantity, one, other, comparison.ratio());
          case NO_DIFFERENCE -> beside("%s and %s: no difference in %s", quantity, one, other);
          case TOO_NOISY ->
              "%s and %s: too noisy to conclude on %s (%s against %s %s)"
                  .formatted(
                      one.name(),
                      other.name(),
                      quantity.name(),
                      spread(one),
                      spread(other),
                      quantity.unit());
        };
    return new Conclusion(comparison.certainty(), text + article(comparison, one, other) + ".");
  }

  private static String differing(Quantity quantity, Contender one, Contender other, double ratio) {
    return Double.isFinite(ratio)
        ? "%s: %s × the %s of %s (%s against %s %s)"
            .formatted(
                one.name(),
                Figures.text(ratio),
                quantity.name(),
                other.name(),
                median(one),
                median(other),
                quantity.unit())
        : beside("%s and %s differ in %s", quantity, one, other); // one of them is nothing
  }

  private static String beside(String sentence, Quantity quantity, Contender one, Contender other) {
    return sentence.formatted(one.name(), other.name(), quantity.name())
        + " (%s against %s %s)".formatted(median(one), median(other), quantity.unit());
  }

  private static String median(Contender contender) {
    return Figures.text(contender.series().median());
  }

  private static String spread(Contender contender) {
    Interval interval = contender.series().interval();
    return Figures.text(interval.low()) + " to " + Figures.text(interval.high());
  }

  private static String article(Comparison comparison, Contender one, Contender other) {
    if (one.article().isEmpty() || other.article().isEmpty()) {
      return "";
    }
    double then = one.article().getAsDouble() / other.article().getAsDouble();
    String agreement =
        switch (comparison.certainty()) {
          case TOO_NOISY -> "";
          case NO_DIFFERENCE -> isNear(then, 1) ? ", about the same" : ": here it makes none";
          case SHOWN -> isWithin(then, one, other) ? ", about the same" : change(comparison, then);
        };
    return "; the article had " + Figures.text(then) + " ×" + agreement;
  }

  private static String change(Comparison now, double then) {
    if (!isNear(then, 1) && now.ratio() > 1 != then > 1) {
      return ": here it is the other way round";
    }
    boolean nearer = Math.abs(Math.log(now.ratio())) < Math.abs(Math.log(then));
    return nearer ? ": here it matters less" : ": here it matters more";
  }

  /** Returns whether the true ratio may be that of the article, within the intervals. */
  private static boolean isWithin(double then, Contender one, Contender other) {
    Interval first = one.series().interval();
    Interval second = other.series().interval();
    return then >= first.low() / second.high() * (1 - Comparison.NARROW)
        && then <= first.high() / second.low() * (1 + Comparison.NARROW);
  }

  private static boolean isNear(double ratio, double other) {
    return Math.abs(ratio / other - 1) <= Comparison.NARROW;
  }
}
