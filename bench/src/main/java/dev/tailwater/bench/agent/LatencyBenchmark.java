package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.GrowingFile;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.target.RequestCounts;
import dev.tailwater.bench.target.SegmentObserver;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench latency}: the age of each write when it becomes durable, while many files grow at
 * once. Each file gets a write every ten milliseconds; a write that is late because the machine is
 * busy is made then, and its clock starts then, since before it there is nothing to lose. Writes in
 * the warm-up do not count.
 */
@Command(name = "latency", description = "From write to durable, while files grow.")
public final class LatencyBenchmark implements Callable<Integer> {
  private static final long WRITE_EVERY_MILLIS = 10;
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(5);
  private static final long END_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 20;

  @Option(
      names = "--rate",
      paramLabel = "BYTES",
      description = "Bytes a second for each file (default: ${DEFAULT-VALUE}).")
  private int bytesPerSecond = 1_000_000;

  @Option(
      names = "--max-age",
      paramLabel = "MS",
      description = "Milliseconds, given to the agent (default: ${DEFAULT-VALUE}).")
  private int maxAgeMillis = 1_000;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "Seconds that do not count (default: ${DEFAULT-VALUE}).")
  private int warmUpSeconds = 15;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Seconds that count (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  private final Histogram visible = new ConcurrentHistogram(MAX_MICROS, 3);
  private final Histogram durable = new ConcurrentHistogram(MAX_MICROS, 3);
  private final Map<String, GrowingFile> growing = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(targets.reportName("latency"))
            .condition(
                "command",
                "bench latency --files "
                    + files
                    + " --rate "
                    + bytesPerSecond
                    + " --max-age "
                    + maxAgeMillis
                    + " --warm-up "
                    + warmUpSeconds
                    + " --seconds "
                    + seconds
                    + targets.words());
    program.forgetRuns();
    Path source = Files.createDirectories(program.work().resolve("source"));
    for (int i = 0; i < files; i++) {
      String name = "access-" + i + ".log";
      growing.put(name, new GrowingFile(source.resolve(name)));
    }
    try (Target target = targets.start(program)) {
      measure(target, source, report.condition("durable", target.durableMeans()));
    }
    report.finish();
    for (GrowingFile file : growing.values()) {
      file.close();
    }
    program.forgetRuns();
    ProgramOptions.delete(source);
    return 0;
  }

  private void measure(Target target, Path source, RunReport report)
      throws IOException, InterruptedException {
    List<String> command =
        program.ship(false, source, target.uri(), List.of("--max-age", maxAgeMillis + "ms"));
    try (SegmentObserver observer = target.observe(this::acknowledge);
        RunningProgram running =
            RunningProgram.start(command, target.environment(), program.work().resolve("stderr"))) {
      grow(running, warmUpSeconds);
      visible.reset();
      durable.reset();
      double before = running.processorSeconds();
      Map<String, Long> requestsBefore = target.requests();
      long startNanos = System.nanoTime();
      grow(running, seconds);
      double wall = (System.nanoTime() - startNanos) / 1e9;
      double processor = running.processorSeconds() - before;
      Map<String, Long> requests = target.requests();
      awaitDurable(running, observer);
      report.result("visibleMillis", percentiles(visible));
      report.result("durableMillis", percentiles(durable));
      report.result("processorPercent", 100 * processor / wall);
      report.result("peakResidentMebibytes", running.peakResidentKibibytes().orElse(0) / 1024.0);
      if (targets.isServer()) {
        requests.replaceAll((kind, count) -> count - requestsBefore.getOrDefault(kind, 0L));
        double gibibytes = (double) files * bytesPerSecond * seconds / (1 << 30);
        report.result("requests", requests);
        report.result("requestsPerGibibyte", RequestCounts.perGibibyte(requests, gibibytes));
      }
    }
  }

  private void acknowledge(String fileName, long endBytes, boolean isDurable, long nanos) {
    GrowingFile file = growing.get(fileName);
    if (file == null) {
      return;
    }
    if (isDurable) {
      file.durable(endBytes, nanos, age -> record(durable, age));
    } else {
      file.visible(endBytes, nanos, age -> record(visible, age));
    }
  }

  private static void record(Histogram histogram, long ageNanos) {
    histogram.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(ageNanos)));
  }

  private void grow(RunningProgram running, int forSeconds)
      throws IOException, InterruptedException {
    int bytes = (int) (bytesPerSecond * WRITE_EVERY_MILLIS / 1_000);
    AccessLog lines = new AccessLog(System.nanoTime());
    byte[] block = lines.next(bytes);
    long startNanos = System.nanoTime();
    long writes = forSeconds * 1_000L / WRITE_EVERY_MILLIS;
    for (long i = 1; i <= writes; i++) {
      for (GrowingFile file : growing.values()) {
        file.append(block);
      }
      block = lines.next(bytes); // The same for all files: this process must not take the machine.
      long next = startNanos + TimeUnit.MILLISECONDS.toNanos(i * WRITE_EVERY_MILLIS);
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
    running.requireAlive();
  }

  private void awaitDurable(RunningProgram running, SegmentObserver observer)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + END_TIMEOUT_NANOS;
    while (!growing.values().stream().allMatch(GrowingFile::isDurable)) {
      running.requireAlive();
      observer.requireHealthy();
      if (System.nanoTime() > deadline) {
        throw new IOException("not everything became durable");
      }
      Thread.sleep(WRITE_EVERY_MILLIS);
    }
  }

  private static Map<String, Object> percentiles(Histogram histogram) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("writes", histogram.getTotalCount());
    for (double percentile : new double[] {50, 90, 99, 99.9}) {
      map.put("p" + percentile, histogram.getValueAtPercentile(percentile) / 1e3);
    }
    map.put("max", histogram.getMaxValue() / 1e3);
    return map;
  }
}
