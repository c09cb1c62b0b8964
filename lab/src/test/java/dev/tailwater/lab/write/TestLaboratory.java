package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A laboratory in a directory of a test. */
public final class TestLaboratory {
  private TestLaboratory() {}

  public static Laboratory in(Path directory) {
    return new Laboratory(
        directory, Effort.QUICK, LinuxFileCalls.create(), new SplittableRandom(1), (_, _) -> {});
  }

  /** What is still below it. */
  static List<Path> left(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.skip(1).toList();
    }
  }

  /** What the report relies on: a plot that finds its table, columns and rows, and conclusions. */
  public static void checkShape(Findings findings) {
    assertFalse(findings.tables().isEmpty());
    assertFalse(findings.conclusions().isEmpty());
    assertFalse(findings.plots().isEmpty());
    for (Plot plot : findings.plots()) {
      ResultTable table =
          findings.tables().stream()
              .filter(candidate -> candidate.title().equals(plot.table()))
              .findFirst()
              .orElseThrow();
      assertTrue(table.parameters().containsAll(List.of(plot.along(), plot.by())), plot.title());
      assertTrue(table.parameters().containsAll(plot.only().keySet()), plot.title());
      int column = table.column(plot.quantity());
      assertTrue(
          table.rows().stream()
              .filter(row -> table.matches(row, plot.only()))
              .anyMatch(row -> row.measured().get(column).isPresent()),
          plot.title());
    }
  }

  /** The one figure of a counted quantity, the same in each round. */
  static double counted(ResultTable table, String quantity, Map<String, String> wanted) {
    List<Double> samples = table.series(quantity, wanted).orElseThrow().samples();
    assertEquals(1, samples.stream().distinct().count(), () -> wanted + ": " + samples);
    return samples.getFirst();
  }
}
