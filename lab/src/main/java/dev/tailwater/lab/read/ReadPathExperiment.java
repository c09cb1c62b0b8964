package dev.tailwater.lab.read;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.RandomFile;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.read.ReadPathTable.Variant;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code read-path}, article 004: files of several sizes are read as a whole by each of the JDK's
 * ways, by critical reads, and through mappings, from the page cache and from the disk. It also
 * measures the page faults of the reader, and the time of a collection that another thread requests
 * meanwhile.
 */
public final class ReadPathExperiment extends PlannedExperiment<ReadPathExperiment.ReadPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle(
          "004",
          "read-path",
          "Which way of reading a file is the fastest, and what does it cost beside?");

  private static final int MEBIBYTE = 1 << 20;
  private static final int WARM_UP_BYTES = 256 << 10;

  /**
   * The factor for the array and the native memory of the largest file, and for what the JDK's ways
   * need in addition.
   */
  private static final int HEAP_FOR_EACH_BYTE = 6;

  public ReadPathExperiment() {
    super(TOPIC, ReadPlan::of);
  }

  ReadPathExperiment(ReadPlan plan) {
    super(TOPIC, effort -> plan);
  }

  /**
   * How much the experiment measures.
   *
   * @param sizesBytes from small to large
   * @param warmUp of each way with each shorter file, since the best way depends on the length
   * @param atMost the time for hot and for cold each, after which no round begins
   */
  record ReadPlan(
      List<Integer> sizesBytes, Duration warmUp, int warmUps, int rounds, Duration atMost) {
    static ReadPlan of(Effort effort) {
      return effort.pick(
          new ReadPlan(
              List.of(64 << 10, MEBIBYTE, 8 * MEBIBYTE),
              Duration.ofMillis(700),
              1,
              5,
              Duration.ofSeconds(3)),
          new ReadPlan(
              List.of(4 << 10, 64 << 10, 256 << 10, MEBIBYTE, 8 * MEBIBYTE),
              Duration.ofSeconds(1),
              2,
              9,
              Duration.ofSeconds(40)),
          new ReadPlan(
              List.of(
                  4 << 10, 16 << 10, 64 << 10, 256 << 10, MEBIBYTE, 8 * MEBIBYTE, 64 * MEBIBYTE),
              Duration.ofSeconds(1),
              3,
              21,
              Duration.ofMinutes(6)));
    }
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return ReadPathHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(10), Duration.ofSeconds(75), Duration.ofMinutes(10));
  }

  @Override
  protected Findings run(Laboratory laboratory, ReadPlan plan)
      throws IOException, InterruptedException {
    Map<String, String> conditions = conditions(plan);
    List<Integer> sizes =
        plan.sizesBytes().stream()
            .filter(size -> size <= Runtime.getRuntime().maxMemory() / HEAP_FOR_EACH_BYTE)
            .toList();
    if (sizes.size() < plan.sizesBytes().size()) {
      conditions.put("larger files", "not measured: the heap of this JVM is too small; -Xmx1g");
    }
    Map<Variant, List<Series>> measured = measure(laboratory, plan, sizes, conditions);
    List<String> words = sizes.stream().map(Figures::size).toList();
    ResultTable table = ReadPathTable.of(measured, words.getLast());
    ReadPathConclusions conclusions = new ReadPathConclusions(table, words);
    return new Findings(
        conditions, List.of(table), plots(), conclusions.all(), conclusions.recommendations());
  }

  private static Map<String, String> conditions(ReadPlan plan) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("streaming copy by", LinuxMemoryCalls.create().engineReason());
    conditions.put(
        "collector",
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(MemoryManagerMXBean::getName)
            .collect(Collectors.joining(", ")));
    conditions.put("collection", "a full one by System.gc() while the file is being read");
    conditions.put("rounds planned", String.valueOf(plan.rounds()));
    return conditions;
  }

  private static Map<Variant, List<Series>> measure(
      Laboratory laboratory, ReadPlan plan, List<Integer> sizes, Map<String, String> conditions)
      throws IOException, InterruptedException {
    Rounds<Variant> hot = new Rounds<>();
    Rounds<Variant> cold = new Rounds<>();
    addNobody(hot, ReadPathTable.HOT);
    addNobody(cold, ReadPathTable.COLD);
    boolean canBeCold = true;
    try (ReadFiles files = new ReadFiles()) {
      for (int sizeBytes : sizes) {
        Path path = laboratory.directory().resolve("read-" + sizeBytes + ".bin");
        RandomFile.write(path, sizeBytes, laboratory.random());
        // A mapped file cannot be dropped from the cache, so the cold file is a separate one.
        Path other = laboratory.directory().resolve("cold-" + sizeBytes + ".bin");
        RandomFile.write(other, sizeBytes, laboratory.random());
        ReadFile hotFile = files.open(laboratory.calls(), path, sizeBytes);
        ReadFile coldFile = files.open(laboratory.calls(), other, sizeBytes);
        canBeCold &= coldFile.drop();
        if (sizeBytes <= WARM_UP_BYTES) {
          warmUp(laboratory, hotFile, plan.warmUp());
        }
        add(hot, hotFile, true);
        add(cold, coldFile, false);
      }
      Map<Variant, List<Series>> measured =
          new LinkedHashMap<>(
              hot.measure(laboratory, plan.warmUps(), plan.rounds(), plan.atMost()));
      if (canBeCold) {
        measured.putAll(
            cold.measureIfTime(laboratory, "cold files", 1, plan.rounds(), plan.atMost()));
      } else {
        conditions.put("cold files", "not measured: the file system keeps files in memory");
      }
      return measured;
    }
  }

  private static void warmUp(Laboratory laboratory, ReadFile file, Duration atMost)
      throws IOException {
    ReadTrial trial = new ReadTrial(file);
    for (ReadWay way : ReadWay.all(file)) {
      laboratory.time().requireTime("warming up");
      trial.warmUp(way, atMost);
    }
  }

  /** Adds collections without a reader, in the same rounds as those that are compared with them. */
  private static void addNobody(Rounds<Variant> rounds, String cache) {
    rounds.add(
        new Variant(ReadPathTable.NOBODY, ReadPathTable.NONE, cache),
        () -> new double[] {Double.NaN, Double.NaN, ReadTrial.collectionMillis()});
  }

  private static void add(Rounds<Variant> rounds, ReadFile file, boolean hot) throws IOException {
    ReadTrial trial = new ReadTrial(file);
    String size = Figures.size(file.sizeBytes());
    String cache = hot ? ReadPathTable.HOT : ReadPathTable.COLD;
    for (ReadWay way : hot ? ReadWay.all(file) : ReadWay.withoutMapping(file)) {
      rounds.add(
          new Variant(way.name(), size, cache), () -> hot ? trial.hot(way) : trial.cold(way));
    }
  }

  private static List<Plot> plots() {
    List<Plot> plots = new ArrayList<>();
    plots.add(plot("Throughput of reading what is cached", ReadPathTable.THROUGHPUT.name()));
    plots.add(plot("Page faults of reading what is cached", ReadPathTable.FAULTS.name()));
    return plots;
  }

  private static Plot plot(String title, String quantity) {
    return new Plot(
        title,
        ReadPathTable.TITLE,
        quantity,
        ReadPathTable.SIZE,
        ReadPathTable.WAY,
        Map.of(ReadPathTable.CACHE, ReadPathTable.HOT),
        Plot.Shape.LINES,
        false);
  }
}
