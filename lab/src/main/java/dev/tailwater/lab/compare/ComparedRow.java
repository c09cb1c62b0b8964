package dev.tailwater.lab.compare;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Series;
import java.util.List;

/**
 * One quantity of one combination of parameters, measured in both.
 *
 * @param comparison the second's median to the first's
 */
public record ComparedRow(
    List<String> parameters,
    Quantity quantity,
    Series first,
    Series second,
    Comparison comparison) {
  static ComparedRow of(List<String> parameters, Quantity quantity, Series first, Series second) {
    return new ComparedRow(parameters, quantity, first, second, compare(first, second));
  }

  /** Returns whether there is a ratio; a median of zero has none. */
  public boolean hasRatio() {
    return Double.isFinite(comparison.ratio());
  }

  private static Comparison compare(Series first, Series second) {
    if (first.samples().size() > 1 || second.samples().size() > 1) {
      return Comparison.of(second, first);
    }
    // Both values were counted, so the comparison is exact.
    boolean same = first.median() == second.median();
    return new Comparison(
        second.median() / first.median(), same ? Certainty.NO_DIFFERENCE : Certainty.SHOWN);
  }
}
