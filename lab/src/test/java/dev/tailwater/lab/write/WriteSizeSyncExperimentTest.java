package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.WriteSizeSyncExperiment.SyncPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteSizeSyncExperimentTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void countsTheRequestsOfEachWayAndLeavesNothingBehind() throws Exception {
    Laboratory laboratory = TestLaboratory.in(directory);
    WriteSizeSyncExperiment experiment =
        new WriteSizeSyncExperiment(
            new SyncPlan(1 << 20, List.of(8 << 10, 64 << 10), 0, 2, Duration.ofMinutes(1)));
    Optional<String> missing = experiment.missing(laboratory);
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));

    Findings findings = experiment.run(laboratory);

    TestLaboratory.checkShape(findings);
    ResultTable table = findings.tables().getFirst();
    assertEquals(128, requests(table, SyncWay.STREAM, "8 KiB"));
    assertEquals(16, requests(table, SyncWay.STREAM, "64 KiB"));
    assertEquals(8, requests(table, SyncWay.BLOCK_WRITER, "8 KiB"));
    assertEquals(8, requests(table, SyncWay.BLOCK_WRITER, "64 KiB"));
    assertEquals(8, requests(table, SyncWay.FILE_COPY, SyncWay.OWN_SIZE));
    assertEquals(
        Optional.<Series>empty(),
        table.series(
            WriteSizeSyncTable.REQUESTS.name(), Map.of("mount", WriteSizeSyncTable.USUAL)));
    assertTrue(
        findings.conclusions().getFirst().text().contains("128 WRITE requests in writes of 8 KiB"));
    assertEquals(List.of(), TestLaboratory.left(directory));
  }

  private static double requests(ResultTable table, String way, String size) {
    return TestLaboratory.counted(
        table, WriteSizeSyncTable.REQUESTS.name(), Map.of("way", way, "size", size));
  }
}
