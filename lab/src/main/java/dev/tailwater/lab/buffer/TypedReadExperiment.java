package dev.tailwater.lab.buffer;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.ForkPlan;
import dev.tailwater.lab.measure.Forks;
import dev.tailwater.lab.measure.Laboratory;
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
 * {@code typed-read}, article 002: reading the numbers of a file in the page cache, by the kind of
 * buffer.
 */
public final class TypedReadExperiment implements Experiment {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "002", "typed-read", "Through which buffer are the numbers of a file read fastest?");

  private final Function<Effort, List<TypedReadVariant>> variants;
  private final Function<Effort, ForkPlan> plan;

  public TypedReadExperiment() {
    this(TypedReadVariant::of, ForkPlan::of);
  }

  TypedReadExperiment(
      Function<Effort, List<TypedReadVariant>> variants, Function<Effort, ForkPlan> plan) {
    this.variants = variants;
    this.plan = plan;
  }

  @Override
  public Topic topic() {
    return TOPIC;
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return TypedReadHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return plan.apply(effort).expectedTime(variants.apply(effort).size());
  }

  @Override
  public Findings run(Laboratory laboratory) throws IOException, InterruptedException {
    ForkPlan forkPlan = plan.apply(laboratory.effort());
    Forks<TypedReadVariant> forks = new Forks<>(forkPlan);
    List<TypedReadVariant> chosen = variants.apply(laboratory.effort());
    for (TypedReadVariant variant : chosen) {
      forks.add(variant, variant.benchmark());
    }
    Map<TypedReadVariant, Series> files = new LinkedHashMap<>();
    forks
        .measure(laboratory, forkPlan.atMost(chosen.size()))
        .forEach(
            (variant, series) ->
                files.put(variant, series.getFirst().times(variant.filesPerRun())));
    ResultTable table = TypedReadTable.of(files);
    TypedReadConclusions conclusions = new TypedReadConclusions(table);
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("file", "10 MiB of random bytes in the page cache");
    conditions.put("a sample is", forkPlan.sampleInWords(files.values().iterator().next()));
    conditions.put(
        "unbuffered stream", "measured on the first 64 KiB of the file; the rest is computed");
    if (laboratory.effort() == Effort.QUICK) {
      conditions.put(
          "left out in a quick run",
          "doubles, other sizes of buffers, big endian but for streams and direct, ours one by"
              + " one");
    }
    return new Findings(
        conditions,
        List.of(table),
        plots(laboratory.effort()),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private static List<Plot> plots(Effort effort) {
    Plot orders =
        new Plot(
            "ints, by byte order",
            TypedReadTable.TITLE,
            TypedReadTable.FILES.name(),
            TypedReadTable.ORDER,
            TypedReadTable.WAY,
            Map.of(TypedReadTable.TYPE, "int", TypedReadTable.BUFFER, "256 KiB"),
            Plot.Shape.BARS,
            false);
    Plot sizes =
        new Plot(
            "ints, big endian, by size of the buffer",
            TypedReadTable.TITLE,
            TypedReadTable.FILES.name(),
            TypedReadTable.BUFFER,
            TypedReadTable.WAY,
            Map.of(TypedReadTable.TYPE, "int", TypedReadTable.ORDER, "big endian"),
            Plot.Shape.BARS,
            true);
    return effort == Effort.QUICK ? List.of(orders) : List.of(sizes, orders);
  }
}
