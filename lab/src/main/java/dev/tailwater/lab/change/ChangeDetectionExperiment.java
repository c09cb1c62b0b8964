package dev.tailwater.lab.change;

import dev.tailwater.lab.change.ChangeTable.Load;
import dev.tailwater.lab.change.ChangeTable.Variant;
import dev.tailwater.lab.change.ChangeTrial.Windows;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.OutOfTimeException;
import dev.tailwater.lab.measure.TimeBudget;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * {@code change-detection}, article 004: the cost of knowing which of 10 000 files have changed
 * while 10 to all of them change 0.1 to 10 times a second, and the time until a change is known.
 */
public final class ChangeDetectionExperiment
    extends PlannedExperiment<ChangeDetectionExperiment.ChangePlan> {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "004", "change-detection", "What does it cost to know which of many files have changed?");

  private static final int FILES = 10_000;

  public ChangeDetectionExperiment() {
    super(TOPIC, ChangePlan::of);
  }

  ChangeDetectionExperiment(ChangePlan plan) {
    super(TOPIC, effort -> plan);
  }

  /**
   * How much the experiment measures.
   *
   * @param files that are watched
   * @param together whether all methods watch at once, and not one after the other
   * @param rounds in each of which each method is measured at each load
   */
  record ChangePlan(
      int files,
      List<ChangeWay> ways,
      List<Load> loads,
      boolean together,
      Windows windows,
      int rounds) {
    private static final List<ChangeWay> ARTICLE_AND_OURS =
        List.of(ChangeWay.POLLING, ChangeWay.WATCH_SERVICE, ChangeWay.INOTIFY, ChangeWay.HYBRID);

    static ChangePlan of(Effort effort) {
      return effort.pick(
          new ChangePlan(
              FILES,
              ARTICLE_AND_OURS,
              List.of(new Load(10, 1), new Load(FILES, 1), new Load(FILES, 10)),
              true,
              windows(600, 700, 1),
              3),
          new ChangePlan(
              FILES,
              ARTICLE_AND_OURS,
              loads(List.of(10, 1_000, FILES)),
              true,
              windows(1_500, 1_500, 2),
              3),
          new ChangePlan(
              FILES,
              Arrays.asList(ChangeWay.values()),
              loads(List.of(10, 100, 1_000, FILES)),
              false,
              windows(2_000, 4_000, 1),
              3));
    }

    private static Windows windows(int settleMillis, int lengthMillis, int count) {
      return new Windows(Duration.ofMillis(settleMillis), Duration.ofMillis(lengthMillis), count);
    }

    private static List<Load> loads(List<Integer> files) {
      return files.stream()
          .flatMap(count -> List.of(0.1, 1.0, 10.0).stream().map(rate -> new Load(count, rate)))
          .toList();
    }

    /** Returns the groups of methods that watch at the same time. */
    List<List<ChangeWay>> groups() {
      return together ? List.of(ways) : ways.stream().map(List::of).toList();
    }
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return ChangeDetectionHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(19), Duration.ofSeconds(130), Duration.ofMinutes(20));
  }

  @Override
  public Optional<String> missing(Laboratory laboratory) throws IOException {
    ChangePlan plan = plan(laboratory.effort());
    int most = plan.loads().stream().mapToInt(Load::files).max().orElseThrow();
    return OpenFileLimit.tooLowFor(most);
  }

  @Override
  protected Findings run(Laboratory laboratory, ChangePlan plan)
      throws IOException, InterruptedException {
    WatchedTree tree =
        WatchedTree.create(
            laboratory.directory().resolve("watched"), plan.files(), laboratory.time());
    ChangeTrial trial = new ChangeTrial(laboratory.calls(), tree);
    Map<Variant, List<double[]>> measured = measure(laboratory, plan, tree, trial);
    ResultTable table = ChangeTable.of(measured);
    ChangeConclusions conclusions = new ChangeConclusions(table, plan.loads(), plan.files());
    List<Recommendation> recommendations = new ArrayList<>(conclusions.recommendations());
    InotifyLimits.ofHost()
        .ifPresent(
            limits ->
                recommendations.addAll(limits.recommendations(trial.refused(), plan.files())));
    return new Findings(
        conditions(plan, measured, trial.refused()),
        List.of(table),
        plots(plan),
        conclusions.all(),
        recommendations);
  }

  private static Map<Variant, List<double[]>> measure(
      Laboratory laboratory, ChangePlan plan, WatchedTree tree, ChangeTrial trial)
      throws IOException, InterruptedException {
    Load heaviest = plan.loads().getLast();
    laboratory.progress().at(0, "warming up");
    trial.run(
        plan.ways(),
        writes(laboratory, tree, heaviest),
        new Windows(Duration.ofSeconds(1), Duration.ZERO, 1));
    List<Map.Entry<Load, List<ChangeWay>>> turns = new ArrayList<>();
    for (Load load : plan.loads()) {
      plan.groups().forEach(group -> turns.add(Map.entry(load, group)));
    }
    Map<Variant, List<double[]>> measured = new LinkedHashMap<>();
    TimeBudget time = laboratory.time();
    Duration last = Duration.ZERO;
    for (int round = 1; round <= plan.rounds(); round++) {
      long beganNanos = System.nanoTime();
      Optional<Map<Variant, List<double[]>>> one =
          round == 1 || time.isInTime(last)
              ? round(laboratory, plan, tree, trial, turns, round)
              : Optional.empty();
      if (one.isEmpty()) {
        if (round == 1) {
          throw new OutOfTimeException("in the first round");
        }
        int missing = plan.rounds() - round + 1;
        time.leaveOut("%d of %d rounds".formatted(missing, plan.rounds()));
        break;
      }
      one.get()
          .forEach(
              (variant, samples) ->
                  measured.computeIfAbsent(variant, _ -> new ArrayList<>()).addAll(samples));
      last = Duration.ofNanos(System.nanoTime() - beganNanos);
    }
    return measured;
  }

  /** Measures each method at each load; empty if time was up before the end. */
  private static Optional<Map<Variant, List<double[]>>> round(
      Laboratory laboratory,
      ChangePlan plan,
      WatchedTree tree,
      ChangeTrial trial,
      List<Map.Entry<Load, List<ChangeWay>>> turns,
      int round)
      throws IOException, InterruptedException {
    List<Map.Entry<Load, List<ChangeWay>>> order = new ArrayList<>(turns);
    Collections.shuffle(order, Random.from(laboratory.random()));
    Map<Variant, List<double[]>> measured = new LinkedHashMap<>();
    int done = (round - 1) * turns.size();
    for (Map.Entry<Load, List<ChangeWay>> turn : order) {
      if (!laboratory.time().isInTime(Duration.ZERO)) {
        return Optional.empty();
      }
      laboratory
          .progress()
          .at(
              (double) done++ / (plan.rounds() * turns.size()),
              "round %d of %d: %s".formatted(round, plan.rounds(), turn.getKey().words()));
      trial
          .run(turn.getValue(), writes(laboratory, tree, turn.getKey()), plan.windows())
          .forEach((way, samples) -> measured.put(new Variant(turn.getKey(), way), samples));
    }
    return Optional.of(measured);
  }

  private static WriteLoad writes(Laboratory laboratory, WatchedTree tree, Load load) {
    return new WriteLoad(laboratory.calls(), tree, load.files(), load.writesPerFileAndSecond());
  }

  private static Map<String, String> conditions(
      ChangePlan plan, Map<Variant, List<double[]>> measured, Map<ChangeWay, String> refused) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("files that are watched", plan.files() + ", a hundred in each directory");
    conditions.put("bound on latency", "1 s, but for what tells at once");
    conditions.put("processor", "user and system time of the watching threads alone");
    conditions.put(
        "what each knows",
        "inotify, hybrid and fanotify are those of DirectoryWatch, which looks at what it is told"
            + " of (statx), so that it knows of renamed and replaced files; WatchService does not");
    conditions.put(
        "turns",
        plan.together() ? "all ways watch the same writes at once" : "one after the other");
    conditions.put(
        "windows",
        "%d of %d ms in each of %d rounds"
            .formatted(
                plan.windows().windows(), plan.windows().length().toMillis(), plan.rounds()));
    for (ChangeWay way : plan.ways()) {
      if (refused.containsKey(way)) {
        boolean ever = measured.keySet().stream().anyMatch(variant -> variant.way() == way);
        conditions.put(
            way.words(), (ever ? "not always measured: " : "not measured: ") + refused.get(way));
      }
    }
    return conditions;
  }

  private static List<Plot> plots(ChangePlan plan) {
    List<Plot> plots = new ArrayList<>();
    plan.loads().stream()
        .map(Load::rateText)
        .distinct()
        .forEach(
            rate ->
                plots.add(
                    new Plot(
                        "Processor time, each file changing " + rate + " × a second",
                        ChangeTable.TITLE,
                        ChangeTable.PROCESSOR.name(),
                        ChangeTable.FILES,
                        ChangeTable.WAY,
                        Map.of(ChangeTable.RATE, rate),
                        Plot.Shape.BARS,
                        true)));
    return plots;
  }
}
