package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RankingTest {
  private static final Quantity SPEED = Quantity.more("throughput", "MB/s");
  private static final Quantity TIME = Quantity.less("time", "ms");

  private static Contender contender(String name, double... samples) {
    return new Contender(
        name, new Series(DoubleStream.of(samples).boxed().toList()), OptionalDouble.empty());
  }

  @Test
  void namesTheBestAndHowMuchBetterItIs() {
    Contender slow = contender("slow", 10, 11, 10);
    List<Contender> all = List.of(slow, contender("fast", 40, 41, 42));
    Ranking more = Ranking.of(SPEED, all).orElseThrow();
    assertEquals(
        "Best for 8 KiB: fast (41 MB/s), 4.1 × slow (10).",
        more.conclusion("for 8 KiB", Optional.of(slow)).text());
    assertEquals(Certainty.SHOWN, more.certainty());
    assertEquals(
        "Best: slow (10 ms).",
        Ranking.of(TIME, all).orElseThrow().conclusion("", Optional.of(slow)).text());
  }

  @Test
  void doesNotChooseAmongThoseThatAreAsGood() {
    Ranking ranking =
        Ranking.of(
                SPEED,
                List.of(
                    contender("a", 100, 101, 102),
                    contender("b", 101, 102, 103),
                    contender("c", 1, 1, 1)))
            .orElseThrow();
    assertEquals(Certainty.NO_DIFFERENCE, ranking.certainty());
    assertEquals(
        "Equally good: b and a (102 MB/s).", ranking.conclusion("", Optional.empty()).text());
  }

  @Test
  void saysThatItIsTooNoisyAndWhoMayBeTheBest() {
    Ranking ranking =
        Ranking.of(
                SPEED,
                List.of(
                    contender("a", 50, 100, 200),
                    contender("b", 60, 90, 150),
                    contender("c", 55, 80, 150),
                    contender("d", 55, 70, 150)))
            .orElseThrow();
    assertEquals(
        "Too noisy to tell which is best: a, b, c or 1 more (100 MB/s).",
        ranking.conclusion("", Optional.of(contender("b", 60, 90, 150))).text());
    assertEquals(Certainty.TOO_NOISY, ranking.certainty());
  }

  @Test
  void needsTwo() {
    assertTrue(Ranking.of(SPEED, List.of(contender("a", 1, 1, 1))).isEmpty());
  }
}
