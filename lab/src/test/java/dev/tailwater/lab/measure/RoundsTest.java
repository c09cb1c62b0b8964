package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private final List<Double> progress = new ArrayList<>();
  private final Laboratory laboratory =
      new Laboratory(
          Path.of("unused"),
          Effort.QUICK,
          LinuxFileCalls.create(),
          new SplittableRandom(1),
          (done, _) -> progress.add(done));
  private final List<String> order = new ArrayList<>();

  private Rounds.Trial trial(String name, double value) {
    return () -> {
      order.add(name);
      return new double[] {value, order.size()};
    };
  }

  @Test
  void measuresEachVariantOnceARoundAndForgetsTheWarmUp() throws Exception {
    Map<String, List<Series>> measured =
        new Rounds<String>()
            .add("a", trial("a", 1))
            .add("b", trial("b", 2))
            .add("c", trial("c", 3))
            .measure(laboratory, 2, 5);

    assertEquals(21, order.size());
    for (int round = 0; round < 7; round++) {
      assertEquals(3, new HashSet<>(order.subList(3 * round, 3 * round + 3)).size());
    }
    List<Series> b = Objects.requireNonNull(measured.get("b"));
    assertEquals(List.of(2.0, 2.0, 2.0, 2.0, 2.0), b.get(0).samples());
    assertEquals(List.of("a", "b", "c"), List.copyOf(measured.keySet()));
    assertEquals(progress.stream().sorted().toList(), progress);
  }

  @Test
  void measuresAsOftenAsAComparisonNeedsThoughTimeIsUp() throws Exception {
    Map<String, List<Series>> measured =
        new Rounds<String>()
            .add("a", trial("a", 1))
            .add("b", trial("b", 2))
            .measure(laboratory, 1, 5, Duration.ZERO);

    assertEquals(8, order.size());
    measured.values().forEach(series -> assertEquals(3, series.getFirst().samples().size()));
  }

  @Test
  void knowsEachVariantOnce() {
    Rounds<String> rounds = new Rounds<String>().add("a", trial("a", 1));

    assertThrows(IllegalArgumentException.class, () -> rounds.add("a", trial("a", 2)));
  }
}
