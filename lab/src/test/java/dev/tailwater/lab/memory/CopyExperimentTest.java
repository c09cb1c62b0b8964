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
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    // On a busy machine, or with one processor, the neighbour may be left out.
    boolean kept = !found.conditions().containsKey("left out, as the rate was not kept");
    boolean two = Runtime.getRuntime().availableProcessors() > 1;
    assertEquals(2, found.tables().getFirst().rows().size());
    assertEquals(kept && two ? 2 : 1, found.tables().getLast().rows().size());
    for (ResultTable table : found.tables()) {
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
                + " target) (10000 against 5000 MB/s). The article had 60 to 90 % more at large"
                + " sizes.",
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
  void leavesOutWhoeverDidNotKeepTheRate() {
    Map<PollutionVariant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(beside(Copier.NONE), List.of(about(40), about(244)));
    measured.put(beside(Copier.MEMCPY), List.of(about(45), about(488.28)));
    measured.put(
        new PollutionVariant(Victim.AFTERWARDS, 1 << 20, Copier.MEMCPY), List.of(about(900)));
    Neighbours found = Neighbours.of(measured);
    assertEquals(
        List.of("another thread meanwhile in 1 MiB, memcpy: 50 % of the rate"), found.leftOut());
    assertEquals(2, found.walks().size());
    assertTrue(found.anyBeside());
  }

  @Test
  void needsTwoProcessorsForANeighbour() {
    CopyPlan normal = CopyPlan.of(Effort.NORMAL);
    assertEquals(normal, normal.on(2));
    assertEquals(2 * 4, normal.on(1).pollution().size());
    assertEquals(List.of(), CopyPlan.of(Effort.QUICK).on(1).pollution());
  }

  @Test
  void measuresEverySizeAndWayInAFullRun() {
    CopyPlan full = CopyPlan.of(Effort.FULL);
    assertEquals(4 * 6 * 2, full.copies().size());
    assertEquals(4 * 4, full.pollution().size());
  }
}
