package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.lab.measure.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench short-lives}: how many of the files that live for milliseconds have all their bytes
 * in the archive. Each file is created, written and closed at once, and deleted after its lifetime.
 * The archive is restored in the end and every file compared with what was written, so that the
 * agent's own count of missed files is only a second opinion. The first files after the start are a
 * row of their own. With {@code --runs}, a plot of all rows is written beside the results.
 */
@Command(
    name = "short-lives",
    description = "Files that live for milliseconds: how many are in the archive.")
public final class ShortLivesBenchmark implements Callable<Integer> {
  private static final int FIRST_FILES = 100;
  private static final int FIRST_LIFETIME_MILLIS = 20;
  private static final long READY_SECONDS = 60;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(
      names = "--lifetimes",
      split = ",",
      paramLabel = "MS",
      description = "Milliseconds from creation to deletion (default: ${DEFAULT-VALUE}).")
  private List<Integer> lifetimesMillis = List.of(100, 50, 20, 10, 5, 2, 1);

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Files for each lifetime (default: ${DEFAULT-VALUE}).")
  private int files = 1_000;

  @Option(
      names = "--every",
      paramLabel = "MS",
      description = "Milliseconds from one creation to the next (default: ${DEFAULT-VALUE}).")
  private int everyMillis = 10;

  @Option(
      names = "--busy",
      split = ",",
      paramLabel = "N",
      description =
          "Processes that compute and never wait; a run of its own for each number (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> busyProcesses = List.of(0);

  /** What the files held, by the name of their row. */
  private final Map<String, List<String>> written = new LinkedHashMap<>();

  private final Map<String, Histogram> lives = new LinkedHashMap<>();

  /** A file that is to be deleted. */
  private record Living(Path path, long bornNanos, long diesNanos) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<LifetimesPlot.Line> lines = new ArrayList<>();
    RunReport last = program.report("short-lives");
    for (int processes : busyProcesses) {
      last = program.report(processes == 0 ? "short-lives" : "short-lives-busy");
      lines.add(run(processes, last));
    }
    last.attach("svg", new LifetimesPlot(last.host(), lines).svg());
    return 0;
  }

  private LifetimesPlot.Line run(int processes, RunReport report)
      throws IOException, InterruptedException {
    report.condition(
        "command",
        "bench short-lives --lifetimes "
            + String.join(",", lifetimesMillis.stream().map(String::valueOf).toList())
            + " --files "
            + files
            + " --every "
            + everyMillis
            + " --busy "
            + processes);
    program.forgetRuns();
    written.clear();
    lives.clear();
    Path source = program.work().resolve("source");
    ProgramOptions.delete(source);
    Files.createDirectories(source);
    List<ChildJvm> neighbours = new ArrayList<>();
    try (RunningProgram running =
        RunningProgram.start(
            program.ship(false, source, List.of()), Map.of(), program.work().resolve("stderr"))) {
      awaitReady(running, source);
      for (int i = 0; i < processes; i++) {
        neighbours.add(NeighbourPrograms.child(CpuNeighbourChild.class, 1));
      }
      double before = running.processorSeconds();
      row(source, "first", FIRST_LIFETIME_MILLIS, FIRST_FILES);
      for (int lifetimeMillis : lifetimesMillis) {
        row(source, lifetimeMillis + " ms", lifetimeMillis, files);
      }
      report.result("processorSeconds", running.processorSeconds() - before);
      report.result("peakResidentMebibytes", running.peakResidentKibibytes().orElse(0) / 1024.0);
    } finally {
      for (ChildJvm neighbour : neighbours) {
        neighbour.close();
      }
    }
    Map<String, Double> percents = count(report);
    report.finish();
    program.forgetRuns();
    ProgramOptions.delete(source);
    Map<Integer, Double> points = new TreeMap<>();
    lifetimesMillis.forEach(
        millis -> points.put(millis, percents.getOrDefault(millis + " ms", 0.0)));
    return new LifetimesPlot.Line(
        processes == 0 ? "no other program" : "beside " + processes + " busy processes", points);
  }

  private void awaitReady(RunningProgram running, Path source)
      throws IOException, InterruptedException {
    Files.writeString(source.resolve("ready"), "ready\n");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
    while (!anySegment()) {
      running.requireAlive();
      if (System.nanoTime() > deadline) {
        throw new IOException("nothing was delivered in " + READY_SECONDS + " s");
      }
      Thread.sleep(100);
    }
  }

  private boolean anySegment() throws IOException {
    Path streams = program.archive().resolve("bench");
    if (!Files.exists(streams)) {
      return false;
    }
    try (Stream<Path> all = Files.walk(streams)) {
      return all.anyMatch(path -> path.toString().endsWith(".zst"));
    } catch (NoSuchFileException | UncheckedIOException e) {
      return false; // An object got its name meanwhile.
    }
  }

  /** Lets files of one lifetime come and go, a new one in each period, whatever the others do. */
  private void row(Path source, String name, int lifetimeMillis, int count)
      throws IOException, InterruptedException {
    List<String> contents = written.computeIfAbsent(name, key -> new ArrayList<>());
    Histogram lived = lives.computeIfAbsent(name, key -> new Histogram(3));
    List<Living> living = new ArrayList<>();
    long nextNanos = System.nanoTime();
    int created = 0;
    while (created < count || !living.isEmpty()) {
      boolean dies =
          !living.isEmpty() && (created == count || living.getFirst().diesNanos() - nextNanos <= 0);
      long dueNanos = dies ? living.getFirst().diesNanos() : nextNanos;
      TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
      if (dies) {
        Living file = living.removeFirst();
        Files.delete(file.path());
        lived.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - file.bornNanos()));
      } else {
        String text = name + ", file " + created + " of " + count + "\n";
        Path path = source.resolve(name.replace(" ", "-") + "-" + created);
        long bornNanos = System.nanoTime();
        Files.writeString(path, text);
        contents.add(text);
        living.add(
            new Living(path, bornNanos, bornNanos + TimeUnit.MILLISECONDS.toNanos(lifetimeMillis)));
        created++;
        nextNanos += TimeUnit.MILLISECONDS.toNanos(everyMillis);
      }
    }
  }

  /** Counts what is in the archive, and returns the percentage of each row. */
  private Map<String, Double> count(RunReport report) throws IOException, InterruptedException {
    Path target = program.work().resolve("restored");
    ProgramOptions.delete(target);
    try (RunningProgram restore =
        RunningProgram.start(
            program.restore(target), Map.of(), program.work().resolve("stderr-restore"))) {
      restore.awaitEnd();
    }
    Set<String> restored = new HashSet<>();
    List<Path> paths;
    try (Stream<Path> all = Files.walk(target)) {
      paths = all.filter(Files::isRegularFile).toList();
    }
    for (Path path : paths) {
      restored.add(Files.readString(path, StandardCharsets.ISO_8859_1));
    }
    long lost = 0;
    Map<String, Double> percents = new HashMap<>();
    for (Map.Entry<String, List<String>> row : written.entrySet()) {
      List<String> contents = row.getValue();
      long kept = contents.stream().filter(restored::contains).count();
      lost += contents.size() - kept;
      double percent = 100.0 * kept / contents.size();
      Histogram lived = lives.get(row.getKey());
      Map<String, Object> figures = new TreeMap<>();
      figures.put("files", contents.size());
      figures.put("inArchive", kept);
      figures.put("percent", percent);
      if (lived != null) {
        figures.put("livedMedianMillis", lived.getValueAtPercentile(50) / 1e3);
        figures.put("livedMinMillis", lived.getMinValue() / 1e3);
        figures.put("livedP99Millis", lived.getValueAtPercentile(99) / 1e3);
      }
      percents.put(row.getKey(), percent);
      report.result(row.getKey(), figures);
    }
    report.result("lostFiles", lost);
    report.result("countedAsMissed", counted("missedFiles"));
    report.result("countedAsPerhapsMissed", counted("perhapsMissedFiles"));
    ProgramOptions.delete(target);
    return percents;
  }

  /** What the agent says, in the record of its last drain. */
  private long counted(String field) throws IOException {
    Path record = program.archive().resolve("bench/~left-behind.json");
    if (!Files.exists(record)) {
      return 0;
    }
    String digits =
        Files.readString(record).replaceFirst("(?s).*\"" + field + "\":\\s*(\\d+).*", "$1");
    return digits.matches("\\d+") ? Long.parseLong(digits) : 0;
  }
}
