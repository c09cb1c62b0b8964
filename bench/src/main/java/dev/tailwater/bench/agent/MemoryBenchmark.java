package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.AccessLogFile;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SizeOptions;
import dev.tailwater.bench.run.SmallFiles;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench memory}: the peak of resident memory (VmHWM of proc(5)) of {@code tailwater ship
 * --once}, for a short file, a long one, and ten thousand; the library pages that it shares with
 * other processes and its memory-mapped start-up cache count too. Asked for every 10 ms until the
 * program ends.
 */
@Command(name = "memory", description = "Peak of resident memory.")
public final class MemoryBenchmark implements Callable<Integer> {
  private static final int SHORT_MEBIBYTES = 64;
  private static final int MANY_FILES = 10_000;
  private static final int MANY_FILE_BYTES = 4_096;
  private static final long POLL_MILLIS = 10;

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private SizeOptions size = new SizeOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 2;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(targets.reportName("memory"))
            .condition(
                "command",
                "bench memory --mib "
                    + (size.sizeBytes() >> 20)
                    + " --rounds "
                    + rounds
                    + targets.words())
            .condition("seed", size.seed());
    Path sources = Files.createDirectories(program.work().resolve("sources"));
    Path empty = Files.createDirectories(sources.resolve("empty"));
    Path shortFile = Files.createDirectories(sources.resolve("short"));
    AccessLogFile.write(shortFile.resolve("access.log"), size.seed(), (long) SHORT_MEBIBYTES << 20);
    Path longFile = Files.createDirectories(sources.resolve("long"));
    size.generate(longFile.resolve("access.log"));
    Path many = Files.createDirectories(sources.resolve("many"));
    new SmallFiles(many, MANY_FILES, MANY_FILE_BYTES, size.seed());
    Map<String, Path> cases = new LinkedHashMap<>();
    cases.put("noFile", empty);
    cases.put("file" + SHORT_MEBIBYTES + "MiB", shortFile);
    cases.put("file" + (size.sizeBytes() >> 20) + "MiB", longFile);
    cases.put("files" + MANY_FILES, many);
    Map<String, Samples> peaks = new LinkedHashMap<>();
    try (Target target = targets.start(program)) {
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, Path> one : cases.entrySet()) {
          add(peaks, one.getKey(), peakMebibytes(target, false, one.getValue()));
          add(peaks, one.getKey() + "Encrypted", peakMebibytes(target, true, one.getValue()));
        }
      }
    }
    report.result("peakResidentMebibytes", peaks).finish();
    program.forgetRuns();
    ProgramOptions.delete(sources);
    return 0;
  }

  private static void add(Map<String, Samples> peaks, String name, double mebibytes) {
    System.err.println(name + " " + mebibytes);
    peaks.computeIfAbsent(name, _ -> new Samples()).add(mebibytes);
  }

  private double peakMebibytes(Target target, boolean encrypted, Path source)
      throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    long peak = 0;
    try (RunningProgram running =
        RunningProgram.start(
            program.ship(encrypted, source, target.uri(), List.of("--once")),
            target.environment(),
            program.work().resolve("stderr"))) {
      while (running.isAlive()) {
        OptionalLong now = running.peakResidentKibibytes();
        peak = Math.max(peak, now.orElse(0));
        Thread.sleep(POLL_MILLIS);
      }
      running.awaitSuccess();
    }
    return peak / 1024.0;
  }
}
