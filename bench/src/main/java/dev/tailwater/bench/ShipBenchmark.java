package dev.tailwater.bench;

import dev.tailwater.bench.TimedCommand.Cost;
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
 * {@code bench ship}: processor seconds of {@code tailwater ship --once} beside those of {@code
 * zstd -1 --single-thread}, and encrypted beside {@code zstd | age}. All run in turn in each round
 * on the same file, which is in the page cache, and all write their output to the same file system.
 * The start of the JVM is measured apart, on an empty source.
 */
@Command(name = "ship", description = "Processor time of shipping, beside zstd and age.")
final class ShipBenchmark implements Callable<Integer> {
  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private SizeOptions size = new SizeOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often everything is run (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> wallSeconds = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("ship")
            .condition(
                "command", "bench ship --mib " + (size.sizeBytes() >> 20) + " --rounds " + rounds)
            .condition("sizeBytes", size.sizeBytes())
            .condition("seed", size.seed());
    Path source = Files.createDirectories(program.work().resolve("source"));
    Path empty = Files.createDirectories(program.work().resolve("empty"));
    Path output = program.work().resolve("output");
    Path file = source.resolve("access.log");
    size.generate(file);
    TimedCommand timed = new TimedCommand(program.work());
    timed.shell("cat \"$1\" > /dev/null", List.of(file.toString()), Map.of());
    Map<String, Samples> ratios = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      double start = add("start", ship(timed, false, empty));
      double zstd =
          add("zstd", pipe(timed, "zstd -1 --single-thread -q -c \"$1\" > \"$2\"", file, output));
      double plain = add("ship", ship(timed, false, source));
      double age =
          add(
              "zstdAge",
              pipe(
                  timed,
                  "zstd -1 --single-thread -q -c \"$1\" | age -r \"$3\" > \"$2\"",
                  file,
                  output));
      double encrypted = add("shipEncrypted", ship(timed, true, source));
      ratio(ratios, "shipToZstd", (plain - start) / zstd);
      ratio(ratios, "shipToZstdWithStart", plain / zstd);
      ratio(ratios, "shipEncryptedToZstdAge", (encrypted - start) / age);
      ratio(ratios, "shipEncryptedToZstdAgeWithStart", encrypted / age);
    }
    report.result("processorSeconds", processorSeconds);
    report.result("wallSeconds", wallSeconds);
    report.result("ratiosOfProcessorTime", ratios);
    report.finish();
    program.forgetRuns();
    for (Path left : List.of(source, empty, output, program.work().resolve("stderr"))) {
      ProgramOptions.delete(left);
    }
    return 0;
  }

  private Cost ship(TimedCommand timed, boolean encrypted, Path source)
      throws IOException, InterruptedException {
    program.forgetRuns();
    return timed.run(program.ship(encrypted, source, List.of("--once")), Map.of());
  }

  private Cost pipe(TimedCommand timed, String script, Path file, Path output)
      throws IOException, InterruptedException {
    Files.deleteIfExists(output);
    return timed.shell(
        script, List.of(file.toString(), output.toString(), program.recipient()), Map.of());
  }

  private double add(String name, Cost cost) {
    processorSeconds.computeIfAbsent(name, _ -> new Samples()).add(cost.processorSeconds());
    wallSeconds.computeIfAbsent(name, _ -> new Samples()).add(cost.wallSeconds());
    System.err.println(name + " " + cost);
    return cost.processorSeconds();
  }

  private static void ratio(Map<String, Samples> ratios, String name, double value) {
    ratios.computeIfAbsent(name, _ -> new Samples()).add(value);
  }
}
