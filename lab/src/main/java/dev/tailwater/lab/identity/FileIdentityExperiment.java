package dev.tailwater.lab.identity;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.identity.FileIdentityTable.Variant;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code file-identity}, article 004: the cost of identifying a file by name, by descriptor and by
 * content, with the names of the files in the kernel's cache, and (as root) without. The close is
 * not counted, since every program that opens a file reads from it afterwards.
 */
public final class FileIdentityExperiment
    extends PlannedExperiment<FileIdentityExperiment.IdentityPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle("004", "file-identity", "What does it cost to know which file one has?");

  public FileIdentityExperiment() {
    super(TOPIC, IdentityPlan::of);
  }

  FileIdentityExperiment(IdentityPlan plan) {
    super(TOPIC, effort -> plan);
  }

  /**
   * How much the experiment measures.
   *
   * @param passes over all files in one measurement, with warm names
   * @param cold whether to empty the cache too, if that is allowed
   * @param atMost the time for warm and cold each, after which no round begins
   */
  record IdentityPlan(
      int files,
      int passes,
      int warmUps,
      int rounds,
      int coldRounds,
      boolean cold,
      Duration atMost) {
    static IdentityPlan of(Effort effort) {
      return effort.pick(
          new IdentityPlan(256, 5, 12, 15, 7, true, Duration.ofMillis(2_500)),
          new IdentityPlan(256, 20, 20, 40, 20, true, Duration.ofSeconds(32)),
          new IdentityPlan(256, 40, 20, 100, 60, true, Duration.ofMinutes(3)));
    }
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return FileIdentityHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(4), Duration.ofSeconds(15), Duration.ofSeconds(90));
  }

  @Override
  protected Findings run(Laboratory laboratory, IdentityPlan plan)
      throws IOException, InterruptedException {
    boolean mayBeCold = plan.cold() && PageCaches.mayDropAll();
    Map<Variant, List<Series>> measured = new LinkedHashMap<>();
    try (IdentityFiles files =
        IdentityFiles.create(
            laboratory.calls(), laboratory.directory(), plan.files(), laboratory.random())) {
      IdentityTrial trial = new IdentityTrial(files);
      Rounds<Variant> warm = new Rounds<>();
      Rounds<Variant> emptied = new Rounds<>();
      for (IdentityWay way : IdentityWay.values()) {
        warm.add(new Variant(way, FileIdentityTable.WARM), () -> trial.warm(way, plan.passes()));
        emptied.add(new Variant(way, FileIdentityTable.COLD), () -> trial.cold(way));
      }
      measured.putAll(warm.measure(laboratory, plan.warmUps(), plan.rounds(), plan.atMost()));
      if (mayBeCold) {
        measured.putAll(
            emptied.measureIfTime(
                laboratory, "a cold dentry cache", 1, plan.coldRounds(), plan.atMost()));
      }
    }
    ResultTable table = FileIdentityTable.of(measured);
    boolean cold =
        measured.keySet().stream().anyMatch(it -> it.names().equals(FileIdentityTable.COLD));
    return new Findings(
        conditions(plan, mayBeCold, cold, table),
        List.of(table),
        plots(cold),
        FileIdentityConclusions.of(table),
        List.of());
  }

  private static Map<String, String> conditions(
      IdentityPlan plan, boolean mayBeCold, boolean cold, ResultTable table) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("files", plan.files() + " of one page each, in the page cache");
    conditions.put("system call of stat and fstat", "statx(2)");
    conditions.put("counted", "all but close(2)");
    int rounds = table.rows().getFirst().measured().getFirst().orElseThrow().samples().size();
    conditions.put("rounds", rounds + " of " + plan.rounds());
    conditions.put(
        "cold dentry cache",
        cold
            ? "dropped before each measurement"
            : mayBeCold
                ? "not measured: time was up"
                : "not measured: only root may drop it; run the lab as root");
    return conditions;
  }

  private static List<Plot> plots(boolean cold) {
    Plot both =
        new Plot(
            FileIdentityTable.TITLE,
            FileIdentityTable.TITLE,
            FileIdentityTable.TIME.name(),
            "way",
            "dentry cache",
            cold ? Map.of() : Map.of("dentry cache", FileIdentityTable.WARM),
            Plot.Shape.BARS,
            cold);
    return List.of(both);
  }
}
