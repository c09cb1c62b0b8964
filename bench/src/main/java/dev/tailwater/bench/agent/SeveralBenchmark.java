package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SmallFiles;
import dev.tailwater.bench.target.S3Target;
import dev.tailwater.bench.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench several}: memory and processor time of an agent with three destinations while many
 * files grow: a directory, S3 on loopback, and an S3 server that is away, where nothing listens.
 * Heap is what collections of the young and the old generation have left, by the JVM's own log.
 */
@Command(name = "several", description = "Memory with three destinations, one of them away.")
public final class SeveralBenchmark implements Callable<Integer> {
  /** The port of discard(9), where nothing listens. */
  private static final String AWAY = "s3://away/archive?endpoint=http%3A%2F%2F127.0.0.1%3A9";

  private static final Pattern COLLECTION = Pattern.compile("Pause .*\\d+M->(\\d+)M\\((\\d+)M\\)");
  private static final int SAMPLES = 10;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 1_000;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "Bytes a second for each file (default: ${DEFAULT-VALUE}).")
  private int bytesPerSecond = 1_000;

  @Option(
      names = "--max-age",
      paramLabel = "MS",
      description = "Milliseconds, given to the agent (default: ${DEFAULT-VALUE}).")
  private int maxAgeMillis = 5_000;

  @Option(names = "--seconds", paramLabel = "S", description = "Length (default: 120).")
  private int seconds = 120;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("several")
            .condition(
                "command",
                "bench several --files "
                    + files
                    + " --bytes "
                    + bytesPerSecond
                    + " --max-age "
                    + maxAgeMillis
                    + " --seconds "
                    + seconds);
    program.forgetRuns();
    Path source = Files.createDirectories(program.work().resolve("source"));
    SmallFiles tree = new SmallFiles(source, files, bytesPerSecond, 1);
    Path heapLog = program.work().resolve("gc.log");
    try (Target s3 = S3Target.start(program.work().resolve("server"))) {
      Map<String, String> environment = new LinkedHashMap<>(s3.environment());
      environment.put("TAILWATER_JAVA_OPTS", "-Xlog:gc:file=" + heapLog);
      List<String> more =
          List.of(
              "--max-age",
              maxAgeMillis + "ms",
              "--to",
              program.archive().toString(),
              "--to",
              s3.uri(),
              "--to-best-effort",
              AWAY);
      try (RunningProgram running =
          RunningProgram.start(
              program.shipToSeveral(source, more), environment, program.work().resolve("stderr"))) {
        measure(running, tree, report);
        report.result("requests", s3.requests());
      }
    }
    report.result("heapMebibytesAfterCollections", heap(heapLog));
    report.finish();
    program.forgetRuns();
    ProgramOptions.delete(source);
    Files.delete(heapLog);
    return 0;
  }

  private void measure(RunningProgram running, SmallFiles tree, RunReport report)
      throws IOException, InterruptedException {
    Samples resident = new Samples();
    long startNanos = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      tree.append(files, bytesPerSecond);
      long nextNanos = startNanos + TimeUnit.SECONDS.toNanos(second);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nextNanos - System.nanoTime()));
      running.requireAlive();
      if (second % Math.max(1, seconds / SAMPLES) == 0) {
        resident.add(running.residentKibibytes().orElse(0) / 1024.0);
      }
    }
    double wall = (System.nanoTime() - startNanos) / 1e9;
    report.result("residentMebibytes", resident);
    report.result("peakResidentMebibytes", running.peakResidentKibibytes().orElse(0) / 1024.0);
    report.result("processorPercent", 100 * running.processorSeconds() / wall);
    report.result("wallSeconds", wall);
  }

  /** Used after each collection, and committed. */
  private static Map<String, Object> heap(Path log) throws IOException {
    Samples used = new Samples();
    Samples committed = new Samples();
    for (String line : Files.readAllLines(log)) {
      Matcher collection = COLLECTION.matcher(line);
      if (collection.find()) {
        used.add(Double.parseDouble(collection.group(1)));
        committed.add(Double.parseDouble(collection.group(2)));
      }
    }
    Map<String, Object> heap = new LinkedHashMap<>();
    heap.put("collections", used.count());
    if (used.count() > 0) {
      heap.put("usedMedian", used.median());
      heap.put("usedMax", used.max());
      heap.put("committedMax", committed.max());
    }
    return heap;
  }
}
