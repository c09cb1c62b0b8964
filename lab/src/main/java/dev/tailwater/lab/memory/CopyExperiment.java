package dev.tailwater.lab.memory;

import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.AvailableMemory;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Forks;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.Part;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code copy}, article 004: ways of copying memory, and the effect of a copy on threads that share
 * the caches.
 */
public final class CopyExperiment extends PlannedExperiment<CopyPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "004",
          "copy",
          "Which way of copying memory is the fastest, and which disturbs others least?");

  public CopyExperiment() {
    this(CopyPlan::of);
  }

  CopyExperiment(Function<Effort, CopyPlan> plans) {
    super(TOPIC, plans);
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return CopyHeadline.of(tables);
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
  public Optional<String> missing(Laboratory laboratory) throws IOException {
    return AvailableMemory.missing(CopyPlan.NEEDED_BYTES);
  }

  @Override
  protected Findings run(Laboratory laboratory, CopyPlan whole)
      throws IOException, InterruptedException {
    CopyPlan plan = whole.on(Runtime.getRuntime().availableProcessors());
    double share = plan.copies().size() / (double) (plan.copies().size() + plan.pollution().size());
    Map<CopyVariant, Series> copied = copied(plan, Part.of(laboratory, 0, share));
    Neighbours walked = Neighbours.of(walked(plan, Part.of(laboratory, share, 1)));
    ResultTable copy = CopyTables.copy(copied);
    ResultTable pollution = CopyTables.pollution(walked.walks());
    CopyConclusions conclusions = new CopyConclusions(copy, pollution);
    StreamingCopy streaming = StreamingCopy.load();
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("a sample is", plan.forks().sampleInWords(copied.values().iterator().next()));
    conditions.put("non-temporal engine", streaming.engine() + ", " + streaming.engineReason());
    conditions.put(
        "between", "arrays: System.arraycopy, non-temporal; native memory: the other two");
    conditions.put("cold target", "the next place of 512 MiB; the source is the same block");
    if (!whole.pollution().isEmpty()) {
      conditions.put(
          "another thread meanwhile",
          plan.pollution().size() < whole.pollution().size()
              ? "left out: it needs two processors"
              : "copies of 1 MiB at 4 GiB a second, walks of 4096 lines");
    }
    if (!walked.leftOut().isEmpty()) {
      conditions.put("left out, as the rate was not kept", String.join("; ", walked.leftOut()));
    }
    conditions.put("the article has", CopyConclusions.ARTICLE);
    if (laboratory.effort() == Effort.QUICK) {
      conditions.put(
          "left out in a quick run",
          "MemorySegment.copy, other sizes, hot targets, what another thread and the same one"
              + " afterwards notice");
    }
    return new Findings(
        conditions,
        pollution.rows().isEmpty() ? List.of(copy) : List.of(copy, pollution),
        plots(plan, walked),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private static Map<CopyVariant, Series> copied(CopyPlan plan, Laboratory laboratory)
      throws IOException, InterruptedException {
    Forks<CopyVariant> forks = new Forks<>(plan.forks());
    plan.copies().forEach(variant -> forks.add(variant, variant.benchmark()));
    return first(forks.measure(laboratory, plan.forks().atMost(2 * plan.copies().size())));
  }

  private static Map<PollutionVariant, List<Series>> walked(CopyPlan plan, Laboratory laboratory)
      throws IOException, InterruptedException {
    Forks<PollutionVariant> forks = new Forks<>(plan.forks());
    for (PollutionVariant variant : plan.pollution()) {
      if (variant.methods().isEmpty()) {
        forks.add(variant, variant.benchmark());
      } else {
        forks.addGroup(variant, variant.benchmark(), variant.methods());
      }
    }
    return forks.measure(laboratory, plan.forks().atMost(2 * plan.pollution().size()));
  }

  private static <K> Map<K, Series> first(Map<K, List<Series>> measured) {
    Map<K, Series> first = new LinkedHashMap<>();
    measured.forEach((key, series) -> first.put(key, series.getFirst()));
    return first;
  }

  private static List<Plot> plots(CopyPlan plan, Neighbours walked) {
    long sizes = plan.copies().stream().map(CopyVariant::sizeBytes).distinct().count();
    Plot copy =
        new Plot(
            "throughput into a cold target",
            CopyTables.COPY,
            CopyTables.THROUGHPUT.name(),
            CopyTables.SIZE,
            CopyTables.WAY,
            Map.of(CopyTables.TARGET, "cold"),
            sizes > 2 ? Plot.Shape.LINES : Plot.Shape.BARS,
            false);
    Plot pollution =
        new Plot(
            "another thread's time for a line of memory, by how its neighbour copies",
            CopyTables.POLLUTION,
            CopyTables.LATENCY.name(),
            CopyTables.WORKING_SET,
            CopyTables.WAY,
            Map.of(CopyTables.VICTIM, PollutionVariant.Victim.BESIDE.toString()),
            Plot.Shape.BARS,
            false);
    return walked.anyBeside() ? List.of(copy, pollution) : List.of(copy);
  }
}
