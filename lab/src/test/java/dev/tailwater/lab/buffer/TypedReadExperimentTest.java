package dev.tailwater.lab.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.buffer.TypedReadVariant.Order;
import dev.tailwater.lab.buffer.TypedReadVariant.ValueType;
import dev.tailwater.lab.buffer.TypedReadVariant.Way;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypedReadExperimentTest {
  @TempDir private Path directory;

  private static TypedReadVariant variant(Way way, Order order) {
    return new TypedReadVariant(way, ValueType.INT, order, way == Way.UNBUFFERED ? 0 : 256 * 1024);
  }

  private static Series about(double value) {
    return new Series(List.of(value * 0.99, value, value * 1.01));
  }

  @Test
  void measuresEachWayInAJvmOfItsOwnAndLeavesNothingBehind() throws Exception {
    List<TypedReadVariant> some =
        List.of(
            variant(Way.DIRECT, Order.LITTLE),
            variant(Way.FOR_EACH, Order.LITTLE),
            variant(Way.UNBUFFERED, Order.BIG));
    Findings found =
        new TypedReadExperiment(_ -> some, _ -> new ForkPlan(1, 0, 1, 1, 20))
            .run(
                new Laboratory(
                    directory, Effort.QUICK, LinuxFileCalls.create(), new Random(1), (_, _) -> {}));
    ResultTable table = found.tables().getFirst();
    assertEquals(3, table.rows().size());
    assertEquals(OptionalDouble.of(362.6), table.rows().getFirst().article().getFirst());
    assertTrue(table.rows().getLast().measured().getFirst().orElseThrow().median() > 0);
    // One sample of each allows no conclusion.
    assertEquals(
        Set.of(Certainty.TOO_NOISY),
        found.conclusions().stream().map(c -> c.certainty()).collect(Collectors.toSet()));
    assertEquals(List.of(), found.recommendations());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void concludesWhatTheFiguresSay() {
    Map<TypedReadVariant, Series> files = new LinkedHashMap<>();
    files.put(variant(Way.DIRECT, Order.LITTLE), about(300));
    files.put(variant(Way.HEAP, Order.LITTLE), about(150));
    files.put(variant(Way.FOR_EACH, Order.LITTLE), about(450));
    TypedReadConclusions found = new TypedReadConclusions(TypedReadTable.of(files));
    assertEquals(
        List.of(
            "direct buffer, little endian, int: 2 × the files a second of heap buffer, little"
                + " endian, int (300 against 150 1/s); the article had 2.21 ×, about the same.",
            "ours, for each, little endian, int: 1.5 × the files a second of direct buffer, little"
                + " endian, int (450 against 300 1/s)."),
        found.conclusions().stream().map(c -> c.text()).toList());
    assertEquals(1, found.recommendations().size());

    files.put(variant(Way.HEAP, Order.LITTLE), about(301));
    files.put(variant(Way.FOR_EACH, Order.LITTLE), about(200));
    TypedReadConclusions other = new TypedReadConclusions(TypedReadTable.of(files));
    assertEquals(Certainty.NO_DIFFERENCE, other.conclusions().getFirst().certainty());
    assertTrue(other.conclusions().getFirst().text().contains("here it makes none"));
    assertEquals(List.of(), other.recommendations());
  }

  @Test
  void findsTheSmallestBufferThatIsEnough() {
    Map<TypedReadVariant, Series> files = new LinkedHashMap<>();
    files.put(new TypedReadVariant(Way.DIRECT, ValueType.INT, Order.LITTLE, 8192), about(200));
    files.put(new TypedReadVariant(Way.DIRECT, ValueType.INT, Order.LITTLE, 65536), about(349));
    files.put(new TypedReadVariant(Way.DIRECT, ValueType.INT, Order.LITTLE, 262144), about(350));
    assertEquals(
        "int: 64 KiB is enough for a direct buffer (349 files a second; 350 with 256 KiB).",
        new TypedReadConclusions(TypedReadTable.of(files)).conclusions().getLast().text());
  }

  @Test
  void measuresEveryWaySizeTypeAndOrderInAFullRun() {
    List<TypedReadVariant> all = TypedReadVariant.of(Effort.FULL);
    assertEquals(4 * 4 * 2 * 2 + 4 * 2 + 2, all.size());
    Set<Way> quick =
        TypedReadVariant.of(Effort.QUICK).stream()
            .map(TypedReadVariant::way)
            .collect(Collectors.toSet());
    assertTrue(quick.containsAll(Set.of(Way.DIRECT, Way.HEAP, Way.STREAM, Way.FOR_EACH)));
  }
}
