package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.AgentFigures;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.SmallFiles;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench growing}: many files grow by a little every second, once without merging and once
 * with it. What that costs, how many objects it makes, how old the oldest byte at risk becomes, by
 * what the agent says every 1.2 s, and how much of the destination it takes. Then every file grows
 * for five seconds of which the agent has delivered nothing, and it gets a SIGTERM.
 */
@Command(name = "growing", description = "Many files that grow slowly.")
public final class GrowingBenchmark implements Callable<Integer> {
  private static final int SLICES_PER_SECOND = 5;
  private static final int SLICES_PER_QUESTION = 6; // Not a whole second: at each part of max_age.
  private static final int BEHIND_SECONDS = 5;
  private static final long FIRST_DELIVERY_MINUTES = 5;
  private static final long MAX_MILLIS = TimeUnit.HOURS.toMillis(1);

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 10_000;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "Bytes a second for each file (default: ${DEFAULT-VALUE}).")
  private int bytesPerSecond = 100;

  @Option(
      names = "--max-age",
      paramLabel = "MS",
      description = "Milliseconds, given to the agent (default: ${DEFAULT-VALUE}).")
  private int maxAgeMillis = 5_000;

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

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(targets.reportName("growing"))
            .condition(
                "command",
                "bench growing --files "
                    + files
                    + " --bytes "
                    + bytesPerSecond
                    + " --max-age "
                    + maxAgeMillis
                    + " --warm-up "
                    + warmUpSeconds
                    + " --seconds "
                    + seconds
                    + targets.words());
    try (Target target = targets.start(program)) {
      report.result("withoutMerging", grow(target, List.of("--merge-to", "off")));
      report.result("withMerging", grow(target, List.of()));
      report.result("secondsFromSigtermToEnd", drain(target));
    }
    report.finish();
    return 0;
  }

  private RunningProgram start(Target target, Path source, List<String> more) throws IOException {
    return RunningProgram.start(
        program.ship(false, source, target.uri(), more),
        target.environment(),
        program.work().resolve("stderr"));
  }

  private SmallFiles begin(Target target, Path source) throws IOException {
    program.forgetRuns();
    target.empty();
    ProgramOptions.delete(source);
    return new SmallFiles(Files.createDirectories(source), files, bytesPerSecond, 1);
  }

  private Map<String, Object> grow(Target target, List<String> merging)
      throws IOException, InterruptedException {
    Path source = program.work().resolve("source");
    SmallFiles tree = begin(target, source);
    List<String> more =
        Stream.concat(Stream.of("--max-age", maxAgeMillis + "ms"), merging.stream()).toList();
    Map<String, Object> results = new LinkedHashMap<>();
    try (RunningProgram running = start(target, source, more)) {
      program.awaitNothingAtRisk(running, files, FIRST_DELIVERY_MINUTES);
      grow(running, tree, warmUpSeconds, new Histogram(MAX_MILLIS, 3));
      Map<String, Long> requestsBefore = target.requests();
      long objectsBefore = figures().deliveredObjects();
      double processorBefore = running.processorSeconds();
      long startNanos = System.nanoTime();
      Histogram oldestMillis = new Histogram(MAX_MILLIS, 3);
      grow(running, tree, seconds, oldestMillis);
      double wall = (System.nanoTime() - startNanos) / 1e9;
      results.put("processorPercent", 100 * (running.processorSeconds() - processorBefore) / wall);
      results.put("deliveredPerSecond", (figures().deliveredObjects() - objectsBefore) / wall);
      if (targets.isServer()) {
        Map<String, Object> perSecond = new LinkedHashMap<>();
        target
            .requests()
            .forEach(
                (kind, count) ->
                    perSecond.put(kind, (count - requestsBefore.getOrDefault(kind, 0L)) / wall));
        results.put("requestsPerSecond", perSecond);
      }
      results.put("oldestAtRiskMillisP50", oldestMillis.getValueAtPercentile(50));
      results.put("oldestAtRiskMillisP99", oldestMillis.getValueAtPercentile(99));
      results.put("peakResidentMebibytes", running.peakResidentKibibytes().orElse(0) / 1024.0);
      program.awaitNothingAtRisk(running, files, FIRST_DELIVERY_MINUTES);
    }
    if (target.objects().isPresent()) {
      results.put(
          "timesTheBytesOfZstd", (double) bytes(target.objects().get()) / zstdBytes(source));
    }
    return results;
  }

  private AgentFigures figures() throws IOException {
    return AgentFigures.ask(program.state())
        .orElseThrow(() -> new IOException("the agent does not run"));
  }

  /** Lets all files grow, a part of them in each slice of a second. */
  private void grow(RunningProgram running, SmallFiles tree, int forSeconds, Histogram oldestMillis)
      throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    for (int slice = 0; slice < forSeconds * SLICES_PER_SECOND; slice++) {
      tree.append(slice % SLICES_PER_SECOND, SLICES_PER_SECOND, bytesPerSecond);
      long next = startNanos + TimeUnit.SECONDS.toNanos(slice + 1L) / SLICES_PER_SECOND;
      TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
      running.requireAlive();
      if (slice % SLICES_PER_QUESTION == 0) {
        oldestMillis.recordValue(Math.min(MAX_MILLIS, figures().oldestAtRiskMillis()));
      }
    }
  }

  private double drain(Target target) throws IOException, InterruptedException {
    Path source = program.work().resolve("source");
    SmallFiles tree = begin(target, source);
    try (RunningProgram running = start(target, source, List.of("--max-age", "60s"))) {
      program.awaitNothingAtRisk(running, files, FIRST_DELIVERY_MINUTES);
      grow(running, tree, BEHIND_SECONDS, new Histogram(MAX_MILLIS, 3));
      if (figures().atRiskBytes() < (long) files * bytesPerSecond * BEHIND_SECONDS) {
        throw new IOException("not everything that was written is at risk");
      }
      long startNanos = System.nanoTime();
      running.terminate();
      running.awaitSuccess();
      return (System.nanoTime() - startNanos) / 1e9;
    } finally {
      program.forgetRuns();
      ProgramOptions.delete(source);
    }
  }

  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** What {@code cat all | zstd -1} makes of the files. */
  private static long zstdBytes(Path source) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "bash",
                "-o",
                "pipefail",
                "-c",
                "find \"$1\" -type f -print0 | sort -z | xargs -0 cat | zstd -1 -c | wc -c",
                "bash",
                source.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    String count = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    if (process.waitFor() != 0) {
      throw new IOException("cat and zstd have failed");
    }
    return Long.parseLong(count.strip());
  }
}
