package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.SmallFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench idle}: the share of one processor that a running agent takes while it watches many
 * quiet files, and while a few of them grow every second; and its resident memory after that.
 */
@Command(name = "idle", description = "Processor time of watching quiet files.")
public final class IdleBenchmark implements Callable<Integer> {
  private static final int FILE_BYTES = 100;
  private static final long FIRST_DELIVERY_MINUTES = 5;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 10_000;

  @Option(
      names = "--growing",
      paramLabel = "N",
      description = "Files that grow each second in the second part (default: ${DEFAULT-VALUE}).")
  private int growing = 10;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Length of each part (default: ${DEFAULT-VALUE}).")
  private int seconds = 120;

  @Option(
      names = "--settle",
      paramLabel = "N",
      description = "Seconds before the first part (default: ${DEFAULT-VALUE}).")
  private int settleSeconds = 20;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("idle")
            .condition(
                "command",
                "bench idle --files "
                    + files
                    + " --growing "
                    + growing
                    + " --seconds "
                    + seconds
                    + " --settle "
                    + settleSeconds);
    program.forgetRuns();
    Path source = Files.createDirectories(program.work().resolve("source"));
    SmallFiles tree = new SmallFiles(source, files, FILE_BYTES, 1);
    try (RunningProgram running =
        RunningProgram.start(
            program.ship(false, source, List.of()), Map.of(), program.work().resolve("stderr"))) {
      program.awaitNothingAtRisk(running, files, FIRST_DELIVERY_MINUTES);
      Thread.sleep(Duration.ofSeconds(settleSeconds));
      report.result("processorSecondsBefore", running.processorSeconds());
      report.result("quietProcessorPercent", percent(running, tree, 0));
      report.result("growingProcessorPercent", percent(running, tree, growing));
      report.result("residentMebibytes", running.residentKibibytes().orElse(0) / 1024.0);
      report.result("peakResidentMebibytes", running.peakResidentKibibytes().orElse(0) / 1024.0);
    }
    report.finish();
    program.forgetRuns();
    ProgramOptions.delete(source);
    return 0;
  }

  private double percent(RunningProgram running, SmallFiles tree, int growingFiles)
      throws IOException, InterruptedException {
    double before = running.processorSeconds();
    long startNanos = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      tree.append(growingFiles, FILE_BYTES);
      TimeUnit.NANOSECONDS.sleep(startNanos + TimeUnit.SECONDS.toNanos(second) - System.nanoTime());
    }
    running.requireAlive();
    double wall = (System.nanoTime() - startNanos) / 1e9;
    return 100 * (running.processorSeconds() - before) / wall;
  }
}
