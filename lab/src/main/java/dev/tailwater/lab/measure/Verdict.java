package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Quantity;

/** Says in a sentence how two variants compare, and what an article had of them. */
public final class Verdict {
  /** Ratios that differ by less than this factor are about the same. */
  private static final double ALIKE = 1.5;

  private Verdict() {}

  /** Compares what was measured in turns; the ratio is that of the first to the second. */
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
    if (one.article().isEmpty()
        || other.article().isEmpty()
        || !Double.isFinite(comparison.ratio())) {
      return "";
    }
    double then = one.article().getAsDouble() / other.article().getAsDouble();
    return "; the article had " + Figures.text(then) + " ×" + agreement(comparison, then);
  }

  private static String agreement(Comparison now, double then) {
    if (now.certainty() == Certainty.TOO_NOISY) {
      return "";
    }
    if (isAlike(now.ratio(), then)) {
      return ", about the same";
    }
    if (now.certainty() == Certainty.SHOWN && now.ratio() > 1 != then > 1) {
      return ": here it is the other way round";
    }
    boolean nearer = Math.abs(Math.log(now.ratio())) < Math.abs(Math.log(then));
    return nearer ? ": here it matters less" : ": here it matters more";
  }

  private static boolean isAlike(double ratio, double then) {
    return ratio > 1 == then > 1 && Math.abs(Math.log(ratio / then)) < Math.log(ALIKE);
  }
}
