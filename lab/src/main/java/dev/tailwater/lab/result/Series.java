package dev.tailwater.lab.result;

import java.util.List;

/**
 * Repeated measurements of one thing, in the order in which they were made; at least one.
 *
 * <p>What stands for them is the median, and a confidence interval of it from the order statistics,
 * which assumes nothing of how the values are spread (Conover, Practical Nonparametric Statistics).
 */
public record Series(List<Double> samples) {
  private static final double CONFIDENCE = 0.95;

  public Series {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("a series needs at least one sample");
    }
    samples = List.copyOf(samples);
  }

  /** One value that is counted and not timed, and so the same each time. */
  public static Series of(double value) {
    return new Series(List.of(value));
  }

  /** The same in another unit. */
  public Series times(double factor) {
    return new Series(samples.stream().map(sample -> sample * factor).toList());
  }

  public double median() {
    List<Double> sorted = sorted();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /**
   * Holds the true median with 95 % probability; with fewer than six samples no interval does, and
   * it is that from the least to the greatest.
   */
  public Interval interval() {
    List<Double> sorted = sorted();
    int cut = 0;
    double outside = Math.pow(0.5, sorted.size());
    double below = outside;
    for (int k = 1; k < (sorted.size() + 1) / 2; k++) {
      outside = outside * (sorted.size() - k + 1) / k;
      below += outside;
      if (2 * below > 1 - CONFIDENCE) {
        break;
      }
      cut = k;
    }
    return new Interval(sorted.get(cut), sorted.get(sorted.size() - 1 - cut));
  }

  private List<Double> sorted() {
    return samples.stream().sorted().toList();
  }
}
