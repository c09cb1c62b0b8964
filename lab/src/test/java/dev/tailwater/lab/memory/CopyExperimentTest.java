package dev.tailwater.lab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.memory.PollutionVariant.Victim;
import dev.tailwater.lab.memory.StreamingCopyBenchmark.Target;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.LinuxFileCalls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyExperimentTest {
  private static final int SIZE = 8 << 20;

  @TempDir private Path directory;

  private static CopyVariant copy(CopyVariant.Way way) {
    return new CopyVariant(way, SIZE, Target.COLD);
  }

  private static PollutionVariant beside(Copier copier) {
    return new PollutionVariant(Victim.BESIDE, 1 << 20, copier);
  }

  private static Series about(double value) {
    return new Series(List.of(value * 0.99, value, value * 1.01));
  }

  @Test
  void measuresCopiesAndWhatTheyCostOthers() throws Exception {
    CopyPlan plan =
        new CopyPlan(
            new ForkPlan(1, 0, 1, 1, 20),
            List.of(
                new CopyVariant(CopyVariant.Way.NON_TEMPORAL, 65536, Target.HOT),
                new CopyVariant(CopyVariant.Way.MEMCPY, 65536, Target.HOT)),
            List.of(
                new PollutionVariant(Victim.BESIDE, 65536, Copier.ARRAYCOPY),
                new PollutionVariant(Victim.AFTERWARDS, 65536, Copier.STREAMING)));
    Findings found =
        new CopyExperiment(_ -> plan)
            .run(
                new Laboratory(
                    directory, Effort.QUICK, LinuxFileCalls.create(), new Random(1), (_, _) -> {}));
    for (ResultTable table : found.tables()) {
      assertEquals(2, table.rows().size());
      for (ResultTable.Row row : table.rows()) {
        assertTrue(row.measured().getFirst().orElseThrow().median() > 0, row.toString());
      }
    }
    // Nothing to compare with each other.
    assertEquals(List.of(), found.recommendations());
  }

  @Test
  void concludesWhatTheFiguresSay() {
    Map<CopyVariant, Series> micros = new LinkedHashMap<>();
    micros.put(copy(CopyVariant.Way.ARRAYCOPY), about(2 * SIZE / 1e4));
    micros.put(copy(CopyVariant.Way.MEMCPY), about(SIZE / 1e4));
    Map<PollutionVariant, Series> walks = new LinkedHashMap<>();
    walks.put(beside(Copier.NONE), about(40.96));
    walks.put(beside(Copier.ARRAYCOPY), about(81.92));
    walks.put(beside(Copier.STREAMING), about(42));
    CopyConclusions found = conclusions(micros, walks);
    assertEquals(
        List.of(
            "memcpy (8 MiB, cold target): 2 × the throughput of System.arraycopy (8 MiB, cold"
                + " target) (10000 against 5000 MB/s); the article had 1.75 ×, about the same.",
            "System.arraycopy (another thread meanwhile, in 1 MiB): 2 × the time for a line of"
                + " memory of nobody copies (another thread meanwhile, in 1 MiB) (20 against 10"
                + " ns).",
            "non-temporal (another thread meanwhile, in 1 MiB): 0.513 × the time for a line of"
                + " memory of System.arraycopy (another thread meanwhile, in 1 MiB) (10.3 against"
                + " 20 ns)."),
        found.conclusions().stream().map(Conclusion::text).toList());
    assertEquals(1, found.recommendations().size());

    walks.put(beside(Copier.STREAMING), about(81.5));
    assertEquals(List.of(), conclusions(micros, walks).recommendations());
  }

  private static CopyConclusions conclusions(
      Map<CopyVariant, Series> micros, Map<PollutionVariant, Series> walks) {
    return new CopyConclusions(CopyTables.copy(micros), CopyTables.pollution(walks));
  }

  @Test
  void saysWhenThereIsTooLittleMemory() {
    assertTrue(
        CopyExperiment.missing(OptionalLong.of(100 << 20)).orElseThrow().contains("100 MiB"));
    assertTrue(CopyExperiment.missing(OptionalLong.of(4L << 30)).isEmpty());
  }

  @Test
  void measuresEverySizeAndWayInAFullRun() {
    CopyPlan full = CopyPlan.of(Effort.FULL);
    assertEquals(4 * 6 * 2, full.copies().size());
    assertEquals(4 * 4, full.pollution().size());
  }
}
