package dev.tailwater.lab.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.buffer.BufferAllocationTables.Allocation;
import dev.tailwater.lab.buffer.BufferAllocationTables.Stressed;
import dev.tailwater.lab.buffer.BufferStress.Sample;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BufferAllocationExperimentTest {
  @TempDir private Path directory;

  private static Series about(double value) {
    return new Series(List.of(value * 0.99, value, value * 1.01));
  }

  @Test
  void measuresAllocationAndMemoryInJvmsOfTheirOwn() throws Exception {
    BufferAllocationPlan plan =
        new BufferAllocationPlan(
            new ForkPlan(1, 0, 1, 1, 10),
            List.of(BufferWay.DIRECT, BufferWay.POOL),
            List.of(1 << 20),
            List.of(2),
            1,
            200);
    List<Double> progress = new ArrayList<>();
    Findings found =
        new BufferAllocationExperiment(_ -> plan)
            .run(
                new Laboratory(
                    directory,
                    Effort.QUICK,
                    LinuxFileCalls.create(),
                    new Random(1),
                    (done, _) -> progress.add(done)));
    ResultTable allocation = found.tables().getFirst();
    assertEquals(OptionalDouble.of(1574.254), allocation.rows().getFirst().article().getFirst());
    ResultTable stress = found.tables().get(1);
    assertEquals(4, stress.rows().size());
    for (ResultTable.Row row : stress.rows()) {
      assertTrue(row.measured().getFirst().orElseThrow().median() > 0, row.toString());
    }
    Series pool =
        stress
            .series(BufferAllocationTables.GROWN.name(), Map.of("way", "pool", "threads", "2"))
            .orElseThrow();
    // The bound of the pool holds, and the JVM's own memory is much less than as much again.
    assertTrue(pool.median() < 2 * (BufferStressChild.POOL_BOUND_BYTES >> 20), pool.toString());
    assertEquals(4 * 21, found.tables().get(2).rows().size());
    assertEquals(progress.stream().sorted().toList(), progress);
  }

  @Test
  void concludesWhatTheFiguresSay() {
    Map<Allocation, Series> allocated = new LinkedHashMap<>();
    allocated.put(new Allocation(BufferWay.HEAP, 65536), about(60_000));
    allocated.put(new Allocation(BufferWay.DIRECT, 65536), about(70_000));
    allocated.put(new Allocation(BufferWay.POOL, 65536), about(1_000_000));
    BufferAllocationConclusions found = conclusions(allocated, run(false, 250), run(false, 60));
    assertTrue(
        found
            .conclusions()
            .getFirst()
            .text()
            .endsWith("the article had 11.8 ×: here it is the other way round."),
        found.conclusions().toString());
    List<String> texts = found.conclusions().stream().map(Conclusion::text).toList();
    assertTrue(
        texts.contains(
            "direct, 2 threads: memory grew by up to 250 MiB where at most 20 MiB are in use; no"
                + " OutOfMemoryError, unlike in the article (JDK 8), whose program ended by one."),
        texts.toString());
    assertTrue(
        texts.contains(
            "pool, 2 threads: memory grew by up to 60 MiB where at most 20 MiB are in use; no"
                + " OutOfMemoryError."),
        texts.toString());
    assertEquals(
        List.of("native buffers of 64 KiB", "direct buffers"),
        found.recommendations().stream().map(r -> r.key()).toList());
  }

  @Test
  void recommendsNothingWhereDirectMemoryIsGivenBackAndThePoolIsNoFaster() {
    Map<Allocation, Series> allocated = new LinkedHashMap<>();
    allocated.put(new Allocation(BufferWay.DIRECT, 65536), about(70_000));
    allocated.put(new Allocation(BufferWay.POOL, 65536), about(70_100));
    BufferAllocationConclusions found = conclusions(allocated, run(false, 25), run(false, 25));
    assertEquals(Certainty.NO_DIFFERENCE, found.conclusions().getFirst().certainty());
    assertEquals(List.of(), found.recommendations());
    BufferAllocationConclusions failing = conclusions(allocated, run(true, 25), run(false, 25));
    assertEquals("direct buffers", failing.recommendations().getFirst().key());
    assertTrue(
        failing.recommendations().getFirst().reason().contains("3 of 3 runs ended by"),
        failing.recommendations().toString());
  }

  @Test
  void concludesNothingFromOneRunOfTheStress() {
    BufferAllocationConclusions found =
        conclusions(Map.of(), List.of(run(true, 250)), List.of(run(false, 60)));
    assertEquals(
        List.of(Certainty.TOO_NOISY, Certainty.TOO_NOISY),
        found.conclusions().stream().map(Conclusion::certainty).toList());
    assertEquals(
        "direct, 2 threads: memory grew by up to 250 MiB where at most 20 MiB are in use; 1 of 1"
            + " runs ended by OutOfMemoryError; fewer than 3 runs are too few to conclude.",
        found.conclusions().getFirst().text());
    assertEquals(List.of(), found.recommendations());
  }

  @Test
  void tellsResidentMemoryAtAMoment() {
    BufferStress run =
        new BufferStress(
            false, 1, List.of(new Sample(0, 40), new Sample(20, 300), new Sample(40, 100)));
    assertEquals(260, run.grownMebibytes());
    assertEquals(40, run.residentMebibytesAt(19));
    assertEquals(300, run.residentMebibytesAt(39));
    assertEquals(100, run.residentMebibytesAt(500));
  }

  private static BufferStress run(boolean outOfMemory, double grownMebibytes) {
    return new BufferStress(
        outOfMemory, 100, List.of(new Sample(0, 40), new Sample(20, 40 + grownMebibytes)));
  }

  private static BufferAllocationConclusions conclusions(
      Map<Allocation, Series> allocated, BufferStress direct, BufferStress pool) {
    return conclusions(allocated, Collections.nCopies(3, direct), Collections.nCopies(3, pool));
  }

  private static BufferAllocationConclusions conclusions(
      Map<Allocation, Series> allocated, List<BufferStress> direct, List<BufferStress> pool) {
    Map<Stressed, List<BufferStress>> stressed = new LinkedHashMap<>();
    stressed.put(new Stressed(BufferWay.DIRECT, 2), direct);
    stressed.put(new Stressed(BufferWay.POOL, 2), pool);
    return new BufferAllocationConclusions(
        BufferAllocationTables.allocation(allocated), BufferAllocationTables.stress(stressed));
  }
}
