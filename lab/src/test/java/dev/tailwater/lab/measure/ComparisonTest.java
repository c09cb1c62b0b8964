package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Series;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Certainty certainty(Series one, Series other) {
    Certainty there = Comparison.of(one, other).certainty();
    assertEquals(there, Comparison.of(other, one).certainty(), "the same the other way round");
    return there;
  }

  private static Series series(double... samples) {
    return new Series(Arrays.stream(samples).boxed().toList());
  }

  @Test
  void whatIsFarApartIsShownWithThreeSamplesEach() {
    Comparison comparison = Comparison.of(series(200, 210, 220), series(100, 105, 110));
    assertEquals(new Comparison(2, Certainty.SHOWN), comparison);
  }

  /** One in ten of such is chance. */
  @Test
  void whatIsJustApartIsNotShownWithThreeSamplesEachButWithSix() {
    assertEquals(Certainty.NO_DIFFERENCE, certainty(series(100, 101, 102), series(103, 104, 105)));
    assertEquals(
        Certainty.SHOWN,
        certainty(series(100, 101, 102, 100, 101, 102), series(103, 104, 105, 103, 104, 105)));
  }

  @Test
  void wideIntervalsThatOverlapAreTooNoisyAndSoAreTwoSamples() {
    assertEquals(Certainty.TOO_NOISY, certainty(series(50, 100, 150), series(60, 120, 170)));
    assertEquals(Certainty.TOO_NOISY, certainty(series(1, 1), series(9, 9)));
  }

  @Test
  void anOutlierDoesNotMoveTheIntervalOfManySamples() {
    Series one = series(100, 101, 102, 103, 104, 105, 106, 107, 108, 9000);
    Series other = series(200, 201, 202, 203, 204, 205, 206, 207, 208, 1);
    assertEquals(Certainty.SHOWN, certainty(one, other));
  }
}
