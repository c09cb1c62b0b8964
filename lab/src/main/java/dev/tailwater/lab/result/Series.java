package dev.tailwater.lab.result;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Repeated measurements of one thing, in the order in which they were made; at least one.
 *
 * <p>Its result is the median with a confidence interval from the order statistics, which assumes
 * nothing about the distribution of the values (Conover, Practical Nonparametric Statistics).
 */
public record Series(List<Double> samples) {
  private static final double CONFIDENCE = 0.95;

  public Series {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("a series needs at least one sample");
    }
    samples = List.copyOf(samples);
  }

  /** Creates a series of one value that is counted and not timed, and so the same each time. */
  public static Series of(double value) {
    return new Series(List.of(value));
  }

  /** Returns the series in another unit. */
  public Series times(double factor) {
    return new Series(samples.stream().map(sample -> sample * factor).toList());
  }

  /**
   * Returns the ratios to another series that was measured in turns with this one, sample by
   * sample, so that what disturbed both at the same time does not count.
   *
   * @return one ratio, of the medians, if the two have different numbers of samples
   */
  public Series dividedBy(Series other) {
    if (samples.size() != other.samples.size()) {
      return of(median() / other.median());
    }
    return new Series(
        IntStream.range(0, samples.size())
            .mapToObj(i -> samples.get(i) / other.samples.get(i))
            .toList());
  }

  public double median() {
    List<Double> sorted = sorted();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /**
   * Returns the interval that contains the true median with 95 % probability. With fewer than six
   * samples no interval does; then it is the interval from the least to the greatest sample.
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
