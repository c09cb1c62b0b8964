package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.lab.result.Series;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0        | 0
          0.077    | 0.0770
          1.5      | 1.50
          9.999    | 10.00
          104.52   | 105
          36857    | 36,857
          -2.5     | -2.50
          1e16     | 1.00e+16
          0.0000001| 1.00e-07
          """)
  void threeDigitsMatter(double value, String text) {
    assertEquals(text, Numbers.text(value));
  }

  @Test
  void whatWasCountedIsExact() {
    assertEquals("32,768", Numbers.median(Series.of(32768)));
    assertEquals("1,234,567", Numbers.median(Series.of(1234567)));
    assertEquals("1.50", Numbers.median(new Series(List.of(1.0, 2.0))));
  }

  @Test
  void anIntervalOfOneValueIsNone() {
    assertEquals("", Numbers.interval(Series.of(7)));
    assertEquals("1.00 – 3.00", Numbers.interval(new Series(List.of(1.0, 2.0, 3.0))));
  }

  @Test
  void timesAreForPeople() {
    assertEquals("8.1 s", Numbers.time(Duration.ofMillis(8123)));
    assertEquals("42 s", Numbers.time(Duration.ofMillis(42900)));
    assertEquals("3 min 20 s", Numbers.time(Duration.ofSeconds(200)));
    assertEquals("1 h 2 min", Numbers.time(Duration.ofSeconds(3725)));
  }

  @Test
  void theArticlesFiguresAreAsTheyWerePrinted() {
    assertEquals("36,857", Numbers.article(36857));
    assertEquals("0.077", Numbers.article(0.077));
  }
}
