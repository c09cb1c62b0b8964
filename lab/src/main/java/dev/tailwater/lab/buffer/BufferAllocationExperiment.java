package dev.tailwater.lab.buffer;

import dev.tailwater.lab.buffer.BufferAllocationTables.Allocation;
import dev.tailwater.lab.buffer.BufferAllocationTables.Stressed;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkedBenchmark;
import dev.tailwater.lab.measure.Forks;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.Part;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code buffer-allocation}, article 002: the cost of a buffer, and what happens to the memory of
 * dropped buffers.
 */
public final class BufferAllocationExperiment extends PlannedExperiment<BufferAllocationPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "002",
          "buffer-allocation",
          "What does it cost to get a buffer, and is its memory given back?");

  private static final double ALLOCATION_SHARE = 0.7;

  public BufferAllocationExperiment() {
    this(BufferAllocationPlan::of);
  }

  BufferAllocationExperiment(Function<Effort, BufferAllocationPlan> plans) {
    super(TOPIC, plans);
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return BufferAllocationHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return plan(effort).expectedTime();
  }

  @Override
  public long mostBytes(Effort effort) {
    return 0;
  }

  @Override
  protected Findings run(Laboratory laboratory, BufferAllocationPlan plan)
      throws IOException, InterruptedException {
    Map<Allocation, Series> allocated = allocate(plan, Part.of(laboratory, 0, ALLOCATION_SHARE));
    Map<Stressed, List<BufferStress>> stressed =
        stress(plan, Part.of(laboratory, ALLOCATION_SHARE, 1));
    ResultTable allocation = BufferAllocationTables.allocation(allocated);
    ResultTable stress = BufferAllocationTables.stress(stressed);
    BufferAllocationConclusions conclusions = new BufferAllocationConclusions(allocation, stress);
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put(
        "a sample of allocation is",
        plan.forks().sampleInWords(allocated.values().iterator().next()));
    conditions.put(
        "a sample of the stress is", "a JVM of its own, for " + plan.stressMillis() + " ms");
    conditions.put(
        "JVM",
        "serial collector; 128 MiB of heap (32 MiB more for each thread after the second), "
            + BufferStress.DIRECT_MEBIBYTES
            + " MiB of direct memory, pool of 64 MiB");
    conditions.put(
        "contents", "zeros from heap, direct and arenas; as they were left from the pool");
    return new Findings(
        conditions,
        List.of(allocation, stress, BufferAllocationTables.curve(stressed, plan.stressMillis())),
        plots(plan),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private static Map<Allocation, Series> allocate(BufferAllocationPlan plan, Laboratory laboratory)
      throws IOException, InterruptedException {
    Forks<Allocation> forks = new Forks<>(plan.forks());
    for (int sizeBytes : plan.sizesBytes()) {
      for (BufferWay way : plan.ways()) {
        forks.add(
            new Allocation(way, sizeBytes),
            new ForkedBenchmark(
                BufferAllocationBenchmark.class,
                way.method(),
                Map.of("sizeBytes", Integer.toString(sizeBytes)),
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=256m")));
      }
    }
    int variants = plan.sizesBytes().size() * plan.ways().size();
    Map<Allocation, Series> series = new LinkedHashMap<>();
    forks
        .measure(laboratory, plan.forks().atMost(variants))
        .forEach((what, measured) -> series.put(what, measured.getFirst()));
    return series;
  }

  private static Map<Stressed, List<BufferStress>> stress(
      BufferAllocationPlan plan, Laboratory laboratory) throws IOException, InterruptedException {
    Map<Stressed, List<BufferStress>> runs = new LinkedHashMap<>();
    Rounds<Stressed> rounds = new Rounds<>();
    for (int threads : plan.threads()) {
      for (BufferWay way : BufferAllocationPlan.STRESSED) {
        List<BufferStress> kept = new ArrayList<>();
        Stressed what = new Stressed(way, threads);
        runs.put(what, kept);
        rounds.add(
            what,
            () -> {
              kept.add(BufferStress.run(way, threads, plan.stressMillis()));
              return new double[0];
            });
      }
    }
    rounds.measure(laboratory, 0, plan.stressRounds());
    return runs;
  }

  private static List<Plot> plots(BufferAllocationPlan plan) {
    Plot allocation =
        new Plot(
            "buffers allocated a second",
            BufferAllocationTables.ALLOCATION,
            BufferAllocationTables.BUFFERS.name(),
            BufferAllocationTables.SIZE,
            BufferAllocationTables.WAY,
            Map.of(),
            plan.sizesBytes().size() > 2 ? Plot.Shape.LINES : Plot.Shape.BARS,
            true);
    Plot curve =
        new Plot(
            plan.threads().getFirst() + " threads with buffers of 10 MiB: resident memory",
            BufferAllocationTables.CURVE,
            BufferAllocationTables.RESIDENT.name(),
            BufferAllocationTables.TIME,
            BufferAllocationTables.WAY,
            Map.of(),
            Plot.Shape.LINES,
            false);
    return List.of(allocation, curve);
  }
}
