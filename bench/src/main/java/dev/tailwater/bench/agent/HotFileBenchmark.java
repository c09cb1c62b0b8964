package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SizeOptions;
import dev.tailwater.bench.run.TimedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench hot-file}: how much sooner one long file is delivered by two workers than by one,
 * beside {@code zstd -1} with two threads and with one. The start of the program, measured on an
 * empty source, is taken off. All run in turn in each round on the same file, which is in the page
 * cache, and all write to the same file system.
 */
@Command(name = "hot-file", description = "One file and two workers, beside zstd with two threads.")
public final class HotFileBenchmark implements Callable<Integer> {
  private static final String ZSTD = "zstd -1 -q -f \"$1\" -o \"$2\" ";

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private SizeOptions size = new SizeOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often everything is run (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  private final Map<String, Samples> wallSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> speedUps = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("hot-file")
            .condition(
                "command",
                "bench hot-file --mib " + (size.sizeBytes() >> 20) + " --rounds " + rounds)
            .condition("sizeBytes", size.sizeBytes())
            .condition("seed", size.seed());
    Path empty = Files.createDirectories(program.work().resolve("empty"));
    Path source = Files.createDirectories(program.work().resolve("source"));
    Path output = program.work().resolve("output");
    Path file = source.resolve("access.log");
    size.generate(file);
    TimedCommand timed = new TimedCommand(program.work());
    timed.shell("cat \"$1\" > /dev/null", List.of(file.toString()), Map.of());
    for (int round = 0; round < rounds; round++) {
      double start = add("start", ship(timed, false, 1, empty));
      speedUp(
          "zstd",
          add("zstd1", zstd(timed, "--single-thread", file, output)),
          add("zstd2", zstd(timed, "-T2", file, output)));
      speedUp(
          "ship",
          add("ship1", ship(timed, false, 1, source)) - start,
          add("ship2", ship(timed, false, 2, source)) - start);
      speedUp(
          "shipEncrypted",
          add("shipEncrypted1", ship(timed, true, 1, source)) - start,
          add("shipEncrypted2", ship(timed, true, 2, source)) - start);
    }
    report.result("wallSeconds", wallSeconds);
    report.result("processorSeconds", processorSeconds);
    report.result("speedUpByTwo", speedUps);
    report.finish();
    program.forgetRuns();
    for (Path left : List.of(empty, source, output, program.work().resolve("stderr"))) {
      ProgramOptions.delete(left);
    }
    return 0;
  }

  private TimedCommand.Cost ship(TimedCommand timed, boolean encrypted, int workers, Path source)
      throws IOException, InterruptedException {
    program.forgetRuns();
    List<String> options =
        List.of("--once", "--neighbour", "off", "--workers", Integer.toString(workers));
    return timed.run(program.ship(encrypted, source, options), Map.of());
  }

  private static TimedCommand.Cost zstd(TimedCommand timed, String threads, Path file, Path output)
      throws IOException, InterruptedException {
    return timed.shell(ZSTD + threads, List.of(file.toString(), output.toString()), Map.of());
  }

  private double add(String name, TimedCommand.Cost cost) {
    wallSeconds.computeIfAbsent(name, _ -> new Samples()).add(cost.wallSeconds());
    processorSeconds.computeIfAbsent(name, _ -> new Samples()).add(cost.processorSeconds());
    System.err.println(name + " " + cost);
    return cost.wallSeconds();
  }

  private void speedUp(String name, double one, double two) {
    speedUps.computeIfAbsent(name, _ -> new Samples()).add(one / two);
  }
}
