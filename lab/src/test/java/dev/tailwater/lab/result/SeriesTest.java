package dev.tailwater.lab.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static Series shuffled(int count) {
    List<Double> samples =
        new ArrayList<>(IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList());
    Collections.shuffle(samples, new Random(count));
    return new Series(samples);
  }

  @Test
  void theMedianIsTheMiddleOneOrTheMiddleOfTwo() {
    assertEquals(4, shuffled(7).median());
    assertEquals(4.5, shuffled(8).median());
    assertEquals(3, Series.of(3).median());
    assertThrows(IllegalArgumentException.class, () -> new Series(List.of()));
  }

  /** The ranks are those of the tables of the sign test, for 95 %. */
  @Test
  void theIntervalIsThatOfTheTablesOfOrderStatistics() {
    assertEquals(new Interval(1, 3), shuffled(3).interval());
    assertEquals(new Interval(1, 6), shuffled(6).interval());
    assertEquals(new Interval(1, 8), shuffled(8).interval());
    assertEquals(new Interval(2, 8), shuffled(9).interval());
    assertEquals(new Interval(3, 10), shuffled(12).interval());
    assertEquals(new Interval(6, 15), shuffled(20).interval());
  }
}
