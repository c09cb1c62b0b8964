package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");

  private static Contender contender(String name, OptionalDouble article, Double... samples) {
    return new Contender(name, new Series(List.of(samples)), article);
  }

  @Test
  void saysByHowMuchAndThatTheArticleAgrees() {
    Conclusion said =
        Verdict.of(
            THROUGHPUT,
            contender("large", OptionalDouble.of(13.3), 40.0, 41.0, 42.0),
            contender("small", OptionalDouble.of(2.84), 9.0, 10.0, 11.0));

    assertEquals(Certainty.SHOWN, said.certainty());
    assertEquals(
        "large: 4.1 × the throughput of small (41 against 10 MB/s);"
            + " the article had 4.68 ×, about the same.",
        said.text());
  }

  @Test
  void saysWhenTheArticleSawItTheOtherWayRound() {
    Conclusion said =
        Verdict.of(
            THROUGHPUT,
            contender("one", OptionalDouble.of(1), 20.0, 21.0, 22.0),
            contender("two", OptionalDouble.of(2), 9.0, 10.0, 11.0));

    assertEquals(
        "one: 2.1 × the throughput of two (21 against 10 MB/s);"
            + " the article had 0.5 ×: here it is the other way round.",
        said.text());
  }

  @Test
  void saysThatItMakesNoneWhereNoDifferenceIsLeft() {
    Conclusion said =
        Verdict.of(
            THROUGHPUT,
            contender("one", OptionalDouble.of(20), 10.0, 10.1, 10.2),
            contender("two", OptionalDouble.of(2), 10.0, 10.1, 10.2));

    assertEquals(Certainty.NO_DIFFERENCE, said.certainty());
    assertEquals(
        "one and two: no difference in throughput (10.1 against 10.1 MB/s);"
            + " the article had 10 ×: here it makes none.",
        said.text());
  }

  @Test
  void concludesNothingFromNoise() {
    Conclusion said =
        Verdict.of(
            THROUGHPUT,
            contender("one", OptionalDouble.empty(), 1.0, 10.0, 100.0),
            contender("two", OptionalDouble.empty(), 2.0, 20.0, 30.0));

    assertEquals(Certainty.TOO_NOISY, said.certainty());
    assertEquals(
        "one and two: too noisy to conclude on throughput (1 to 100 against 2 to 30 MB/s).",
        said.text());
  }
}
