package dev.tailwater.bench.stores;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code compare}: the engines in one run, in turns, and which aims are met. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = "The data-file store beside other engines. Needs fio(1) for cold gets.")
final class CompareCommand implements Callable<Integer> {
  private static final int QUICK_SHARE = 50;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--load-rounds",
      paramLabel = "N",
      description = "How often everything is loaded (default: ${DEFAULT-VALUE}).")
  private int loadRounds = 2;

  @Option(
      names = "--slice-millis",
      paramLabel = "N",
      description = "How long a measurement takes (default: ${DEFAULT-VALUE}).")
  private int sliceMillis = 1_000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ENGINE",
      description = "rocksdb, lmdb, chronicle-map, tailwater... (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--phases",
      split = ",",
      paramLabel = "PHASE",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private List<Phase> phases = List.copyOf(EnumSet.allOf(Phase.class));

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "NAME",
      description = "small: 5 000 000 x 100 B, large: 200 000 x 4 KiB (default: both).")
  private List<String> data = List.of("small", "large");

  @Option(
      names = "--heap-mib",
      paramLabel = "N",
      description = "-Xmx of each engine's JVM (default: ${DEFAULT-VALUE}).")
  private int heapMebibytes = 64;

  @Option(
      names = "--share",
      paramLabel = "N",
      description = "Take only one of so many records (default: ${DEFAULT-VALUE}).")
  private int share = 1;

  @Option(names = "--quick", description = "A fiftieth of the records, and one short round.")
  private boolean quick;

  @Option(names = "--keep", description = "Leave the stores, and use those that are there.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createDirectories(work).toRealPath();
    if (quick) {
      rounds = 1;
      loadRounds = 1;
      sliceMillis = Math.min(sliceMillis, 500);
      share = QUICK_SHARE;
    }
    RunReport report =
        new RunReport("stores", directory, ProgramOptions.directories(runs))
            .condition("command", command())
            .condition("rounds", rounds)
            .condition("loadRounds", loadRounds)
            .condition("sliceMillis", sliceMillis)
            .condition("heapMebibytes", heapMebibytes);
    List<Aim> aims = new ArrayList<>();
    StringBuilder tables = new StringBuilder();
    for (Dataset dataset : datasets()) {
      try (Contest contest = new Contest(directory, dataset, kinds(), heapMebibytes)) {
        compare(contest);
        report.details(dataset.name(), toMap(dataset, contest));
        aims.addAll(Aim.of(contest.figures()));
        tables.append(FiguresTable.of(contest.figures()));
      } finally {
        if (!keep) {
          ProgramOptions.delete(directory.resolve(dataset.name()));
        }
      }
    }
    Map<String, Object> judged = new LinkedHashMap<>();
    aims.forEach(aim -> judged.put(aim.text(), aim.toMap()));
    report.details("aims", judged).finish();
    System.out.println(tables);
    System.out.println("| aim | reached | wanted | met |\n| --- | --- | --- | --- |");
    aims.forEach(System.out::println);
    return 0;
  }

  private String command() {
    return String.format(
        Locale.ROOT,
        "compare%s --share %d --data %s --phases %s --rounds %d --load-rounds %d --slice-millis %d"
            + " --heap-mib %d",
        only.isEmpty() ? "" : " --only " + String.join(",", only),
        share,
        String.join(",", data),
        String.join(",", phases.stream().map(Phase::name).toList()),
        rounds,
        loadRounds,
        sliceMillis,
        heapMebibytes);
  }

  private List<EngineKind> kinds() {
    Set<String> wanted = new LinkedHashSet<>(only);
    List<EngineKind> kinds = new ArrayList<>();
    for (EngineKind kind : EngineKind.values()) {
      if (only.isEmpty() || wanted.remove(kind.label())) {
        kinds.add(kind);
      }
    }
    wanted.forEach(EngineKind::of); // says which there is not
    return kinds;
  }

  private List<Dataset> datasets() {
    List<Dataset> all =
        List.of(
            new Dataset("small", 5_000_000 / share, 100),
            new Dataset("large", 200_000 / share, 4096));
    return all.stream().filter(dataset -> data.contains(dataset.name())).toList();
  }

  private void compare(Contest contest) throws IOException, InterruptedException {
    LoadPhase load = new LoadPhase(contest, loadRounds);
    GetPhases gets = new GetPhases(contest, rounds, sliceMillis);
    PutPhases puts = new PutPhases(contest, rounds, sliceMillis);
    Files.createDirectories(contest.work());
    if (phases.contains(Phase.LOAD)) {
      load.run();
    }
    load.loadMissing();
    if (phases.contains(Phase.HOT)) {
      gets.hot();
    }
    if (phases.contains(Phase.COLD)) {
      gets.cold();
    }
    if (phases.contains(Phase.PUT)) {
      puts.durable();
    }
    if (phases.contains(Phase.MIX)) {
      puts.mixed();
    }
  }

  private static Map<String, Object> toMap(Dataset dataset, Contest contest) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("records", dataset.count());
    map.put("valueBytes", dataset.valueBytes());
    for (Map.Entry<String, Map<String, Samples>> metric : contest.figures().all().entrySet()) {
      map.put(metric.getKey(), metric.getValue());
    }
    if (!contest.failures().isEmpty()) {
      map.put("failures", contest.failures());
    }
    return map;
  }
}
