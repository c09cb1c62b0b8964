package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SizeOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench appends}: what looking for rewritten bytes costs where there are none. A log grows
 * by appends at a steady rate and is quiet then, for long enough that it is compared once. The
 * processor time of the thread that compares is set against all that the agent took.
 */
@Command(
    name = "appends",
    description = "A log that only grows: what looking for rewritten bytes costs.")
public final class AppendsBenchmark implements Callable<Integer> {
  /** The name of the agent's thread that compares files with what was delivered. */
  private static final String COMPARING = "compare";

  private static final int APPENDS_PER_SECOND = 20;

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private SizeOptions size = new SizeOptions();

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "MiB a second that are appended (default: ${DEFAULT-VALUE}).")
  private int rateMebibytes = 40;

  @Option(
      names = "--quiet",
      paramLabel = "SECONDS",
      description =
          "How long the log is quiet before the agent is stopped; it is compared after ten seconds,"
              + " in a tenth of the time (default: ${DEFAULT-VALUE}).")
  private int quietSeconds = 60;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often everything is run (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  private final Samples allSeconds = new Samples();
  private final Samples comparingSeconds = new Samples();
  private final Samples comparingPercent = new Samples();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("appends")
            .condition(
                "command",
                "bench appends --mib "
                    + (size.sizeBytes() >> 20)
                    + " --rate "
                    + rateMebibytes
                    + " --quiet "
                    + quietSeconds
                    + " --rounds "
                    + rounds)
            .condition("sizeBytes", size.sizeBytes())
            .condition("seed", size.seed());
    Path generated = program.work().resolve("access.log");
    size.generate(generated);
    for (int round = 0; round < rounds; round++) {
      run(generated);
    }
    report.result("processorSeconds", allSeconds);
    report.result("comparingProcessorSeconds", comparingSeconds);
    report.result("comparingPercentOfTheRest", comparingPercent);
    report.finish();
    program.forgetRuns();
    for (Path left : List.of(generated, program.work().resolve("source"))) {
      ProgramOptions.delete(left);
    }
    return 0;
  }

  private void run(Path generated) throws IOException, InterruptedException {
    program.forgetRuns();
    Path source = program.work().resolve("source");
    ProgramOptions.delete(source);
    Files.createDirectories(source);
    try (RunningProgram running =
        RunningProgram.start(
            program.ship(false, source, List.of()), Map.of(), program.work().resolve("stderr"))) {
      grow(generated, source.resolve("access.log"));
      TimeUnit.SECONDS.sleep(quietSeconds);
      running.requireAlive();
      double all = running.processorSeconds();
      double comparing = running.processorSeconds(COMPARING);
      allSeconds.add(all);
      comparingSeconds.add(comparing);
      comparingPercent.add(100 * comparing / (all - comparing));
      System.err.printf("%.2f s, of which comparing took %.2f s%n", all, comparing);
    }
  }

  /** Appends all that was generated, in pieces at a steady rate. */
  private void grow(Path generated, Path log) throws IOException, InterruptedException {
    byte[] piece = new byte[(rateMebibytes << 20) / APPENDS_PER_SECOND];
    long beganNanos = System.nanoTime();
    long pieces = 0;
    try (InputStream in = Files.newInputStream(generated);
        OutputStream out = Files.newOutputStream(log)) {
      for (int read = in.readNBytes(piece, 0, piece.length);
          read > 0;
          read = in.readNBytes(piece, 0, piece.length)) {
        out.write(piece, 0, read);
        pieces++;
        long dueNanos = beganNanos + pieces * TimeUnit.SECONDS.toNanos(1) / APPENDS_PER_SECOND;
        TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
      }
    }
  }
}
