package dev.tailwater.lab.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCacheExperimentTest {
  @TempDir private Path directory;

  /** Samples about these values. */
  private static List<Series> figures(double... values) {
    return DoubleStream.of(values)
        .mapToObj(value -> new Series(List.of(value * 0.99, value, value * 1.01)))
        .toList();
  }

  @Test
  void readsAllRecordsOfBothModesInEachState() throws Exception {
    StorePlan plan =
        new StorePlan(
            List.of(StoreVariant.LOG, StoreVariant.DATA_FILES, StoreVariant.DATA_FILES_CACHED),
            2_000,
            100,
            0,
            1);
    Findings found =
        new StoreCacheExperiment(_ -> plan)
            .run(
                new Laboratory(
                    directory, Effort.QUICK, LinuxFileCalls.create(), new Random(1), (_, _) -> {}));
    ResultTable gets = found.tables().getFirst();
    // On tmpfs nothing can be evicted.
    boolean evicted = !found.conditions().containsKey("left out, as they stayed in the page cache");
    assertEquals(evicted ? 3 * 3 : 3 * 2, gets.rows().size());
    for (ResultTable.Row row : gets.rows()) {
      assertTrue(row.measured().getFirst().orElseThrow().median() >= 0, row.toString());
    }
    if (evicted) {
      assertEquals(OptionalDouble.of(2_000), gets.rows().get(4).article().getFirst());
      assertEquals(2 * 3, found.tables().getLast().rows().size());
    }
    // One round is too few to recommend anything.
    assertEquals(List.of(), found.recommendations());
  }

  @Test
  void concludesWhatTheFiguresSay() {
    Map<StoreVariant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(StoreVariant.LOG, figures(900_000, 900_500, 899_000, 0, 500_000, 0, 600_000, 0));
    measured.put(
        StoreVariant.DATA_FILES, figures(400_000, 20_000, 410_000, 0, 5_000, 0.9, 60_000, 14));
    measured.put(
        StoreVariant.DATA_FILES_CACHED,
        figures(400_000, 90_000, 410_000, 0, 5_000, 0.9, 60_000, 14));
    StoreConclusions found = conclusions(measured);
    assertEquals(
        List.of(
            "data files, in the page cache: 20 × the gets a second of data files, evicted (400000"
                + " against 20000 1/s); the article had 25 ×: here it matters less.",
            "data files, read again: 20.5 × the gets a second of data files, evicted (410000"
                + " against 20000 1/s); the article had 33 ×: here it matters less.",
            "data files, own cache, evicted: 4.5 × the gets a second of data files, evicted (90000"
                + " against 20000 1/s).",
            "transaction log, evicted and transaction log, in the page cache: no difference in gets"
                + " a second (900500 against 900000 1/s).",
            "evicted keys, 64 at a time: 12 × the keys a second of evicted keys, 1 at a time (60000"
                + " against 5000 1/s). The disk then has 14 requests under way, not 0.9."),
        found.conclusions().stream().map(Conclusion::text).toList());
    assertEquals(2, found.recommendations().size());

    measured.put(
        StoreVariant.DATA_FILES_CACHED,
        figures(400_000, 20_100, 410_000, 0, 5_000, 0.9, 60_000, 14));
    measured.put(
        StoreVariant.DATA_FILES,
        figures(400_000, 20_000, 410_000, 0, 5_000, Double.NaN, 5_000, Double.NaN));
    assertEquals(List.of(), conclusions(measured).recommendations());
  }

  @Test
  void callsNothingEvictedThatStayedInThePageCache() {
    Map<StoreVariant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(StoreVariant.LOG, figures(900_000, 900_500, 899_000, 0, 500_000, 0, 600_000, 0));
    measured.put(
        StoreVariant.DATA_FILES,
        figures(400_000, 390_000, 410_000, 0.5, 300_000, 0.9, 310_000, 14));
    ResultTable gets = StoreTables.gets(measured);
    assertEquals(
        List.of(
            List.of("transaction log", "in the page cache"),
            List.of("transaction log", "evicted"),
            List.of("transaction log", "read again"),
            List.of("data files", "in the page cache"),
            List.of("data files", "read again")),
        gets.rows().stream().map(ResultTable.Row::parameters).toList());
    assertEquals(2, StoreTables.queue(measured).rows().size());
    assertEquals(
        List.of("transaction log, evicted and transaction log, in the page cache: no difference"),
        conclusions(measured).conclusions().stream()
            .map(conclusion -> conclusion.text().replaceFirst("difference.*", "difference"))
            .toList());
  }

  @Test
  void needsMemoryForTheJvmsAndForTheFiles() {
    StorePlan plan = new StorePlan(List.of(StoreVariant.LOG), 1 << 20, 100, 0, 1);
    assertEquals((128L << 20) + (1_600L << 20) + (400L << 20), StoreChildCommand.neededBytes(plan));
  }

  private static StoreConclusions conclusions(Map<StoreVariant, List<Series>> measured) {
    return new StoreConclusions(StoreTables.gets(measured), StoreTables.queue(measured));
  }
}
