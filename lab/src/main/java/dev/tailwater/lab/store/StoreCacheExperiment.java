package dev.tailwater.lab.store;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.AvailableMemory;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * {@code store-cache}, article 003: a store whose values are in the page cache, or have been
 * evicted from it.
 */
public final class StoreCacheExperiment extends PlannedExperiment<StorePlan> {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "003",
          "store-cache",
          "What do gets of a store lose when its files fall out of the page cache?");

  /** The largest ratio of a store on disk to its values. */
  private static final int OVERHEAD = 2;

  public StoreCacheExperiment() {
    this(StorePlan::of);
  }

  StoreCacheExperiment(Function<Effort, StorePlan> plans) {
    super(TOPIC, plans);
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return StoreCacheHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return plan(effort).expectedTime();
  }

  @Override
  public long mostBytes(Effort effort) {
    StorePlan plan = plan(effort);
    return (long) plan.variants().size() * OVERHEAD * plan.records() * StorePlan.VALUE_BYTES;
  }

  @Override
  public Optional<String> missing(Laboratory laboratory) throws IOException {
    return AvailableMemory.missing(StoreChildCommand.neededBytes(plan(laboratory.effort())));
  }

  @Override
  protected Findings run(Laboratory laboratory, StorePlan plan)
      throws IOException, InterruptedException {
    for (StoreVariant variant : plan.variants()) {
      laboratory.time().requireTime("filling a store");
      laboratory.progress().at(0, "filling a store, " + variant);
      fill(laboratory, variant, plan);
    }
    Map<StoreVariant, List<Series>> measured = measured(laboratory, plan);
    ResultTable gets = StoreTables.gets(measured);
    ResultTable queue = StoreTables.queue(measured);
    StoreConclusions conclusions = new StoreConclusions(gets, queue);
    return new Findings(
        conditions(plan, measured),
        queue.rows().isEmpty() ? List.of(gets) : List.of(gets, queue),
        queue.rows().isEmpty() ? plots().subList(0, 1) : plots(),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private static void fill(Laboratory laboratory, StoreVariant variant, StorePlan plan)
      throws IOException {
    PosixPath directory = PosixPath.of(variant.directory(laboratory.directory()));
    FileCalls calls = laboratory.calls();
    try (KeyValueStore store =
        variant == StoreVariant.LOG
            ? TransactionLogStore.open(calls, directory, StoreOptions.defaults())
            : DataFileStore.open(calls, directory, DataFileOptions.defaults())) {
      store.putAll(
          new StoreRecords(StorePlan.VALUE_BYTES).puts(plan.records()), WriteOptions.defaults());
    }
    PageCaches.sync(variant.directory(laboratory.directory()));
  }

  private static Map<StoreVariant, List<Series>> measured(Laboratory laboratory, StorePlan plan)
      throws IOException, InterruptedException {
    List<StoreTrial> open = new ArrayList<>();
    try {
      Rounds<StoreVariant> rounds = new Rounds<>();
      for (StoreVariant variant : plan.variants()) {
        StoreTrial trial = StoreTrial.open(variant, laboratory.directory(), plan);
        open.add(trial);
        rounds.add(variant, trial::measure);
      }
      return rounds.measure(
          laboratory, plan.warmUps(), plan.rounds(), plan.expectedTime().multipliedBy(2));
    } finally {
      open.forEach(StoreTrial::close);
    }
  }

  private static Map<String, String> conditions(
      StorePlan plan, Map<StoreVariant, List<Series>> measured) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("records", plan.records() + " of 16 + " + StorePlan.VALUE_BYTES + " bytes");
    conditions.put("gets", "by 2 threads; nine of ten of a twentieth of the keys");
    conditions.put("evicted", "what is measured is the first tenth of a second");
    conditions.put("own cache", Figures.size(plan.cacheBytes()));
    conditions.put(
        "evicted by",
        "posix_fadvise; values are read by system calls, since what a process has mapped and"
            + " touched stays");
    if (measured.values().stream().anyMatch(StoreTables::isEvicted)) {
      conditions.put("in the page cache when evicted", stayed(measured, StoreTables::isEvicted));
    }
    if (!measured.values().stream().allMatch(StoreTables::isEvicted)) {
      conditions.put(
          "left out, as they stayed in the page cache",
          stayed(measured, series -> !StoreTables.isEvicted(series)));
    }
    return conditions;
  }

  /**
   * Returns, for each variant, the most that stayed in the page cache: {@code transaction log: 0 %,
   * data files: 0.1 %}.
   */
  private static String stayed(
      Map<StoreVariant, List<Series>> measured, Predicate<List<Series>> wanted) {
    return measured.entrySet().stream()
        .filter(entry -> wanted.test(entry.getValue()))
        .map(
            entry ->
                "%s: %s %%"
                    .formatted(
                        entry.getKey(), Figures.text(100 * StoreTables.resident(entry.getValue()))))
        .collect(Collectors.joining(", "));
  }

  private static List<Plot> plots() {
    return List.of(
        new Plot(
            "gets a second",
            StoreTables.GETS,
            StoreTables.GETS_PER_SECOND.name(),
            StoreTables.STATE,
            StoreTables.STORE,
            Map.of(),
            Plot.Shape.BARS,
            true),
        new Plot(
            "evicted keys a second, by keys at a time",
            StoreTables.QUEUE,
            StoreTables.KEYS_PER_SECOND.name(),
            StoreTables.KEYS,
            StoreTables.STORE,
            Map.of(),
            Plot.Shape.BARS,
            true));
  }
}
