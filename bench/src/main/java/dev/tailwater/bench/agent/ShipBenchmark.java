package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SizeOptions;
import dev.tailwater.bench.run.TimedCommand;
import dev.tailwater.bench.run.TimedCommand.Cost;
import dev.tailwater.bench.target.RequestCounts;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
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
 * The start is measured apart: of the JVM, on an empty source; where the destination is a server,
 * with all that comes with the first request, on a source of one short line.
 */
@Command(name = "ship", description = "Processor time of shipping, beside zstd and age.")
public final class ShipBenchmark implements Callable<Integer> {
  private static final String ZSTD = "zstd -1 --single-thread -q -c \"$1\" ";

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private SizeOptions size = new SizeOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often everything is run (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--encrypted-only", description = "Only what is encrypted, beside zstd and age.")
  private boolean encryptedOnly;

  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> wallSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> ratios = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(targets.reportName("ship"))
            .condition(
                "command",
                "bench ship --mib "
                    + (size.sizeBytes() >> 20)
                    + " --rounds "
                    + rounds
                    + (encryptedOnly ? " --encrypted-only" : "")
                    + targets.words())
            .condition("sizeBytes", size.sizeBytes())
            .condition("seed", size.seed());
    Path source = Files.createDirectories(program.work().resolve("source"));
    Path little = Files.createDirectories(program.work().resolve("little"));
    if (targets.isServer()) {
      Files.writeString(little.resolve("access.log"), "GET /\n");
    }
    Path output = program.work().resolve("output");
    Path file = source.resolve("access.log");
    size.generate(file);
    TimedCommand timed = new TimedCommand(program.work());
    timed.shell("cat \"$1\" > /dev/null", List.of(file.toString()), Map.of());
    try (Target target = targets.start(program)) {
      if (targets.isServer()) {
        ship(timed, target, false, little); // The first start may make the plug-in's cache.
      }
      for (int round = 0; round < rounds; round++) {
        double start = add("start", ship(timed, target, false, little));
        if (!encryptedOnly) {
          double zstd = add("zstd", pipe(timed, ZSTD + "> \"$2\"", file, output));
          ratios("shipToZstd", add("ship", ship(timed, target, false, source)), start, zstd);
        }
        double age = add("zstdAge", pipe(timed, ZSTD + "| age -r \"$3\" > \"$2\"", file, output));
        double encrypted = add("shipEncrypted", ship(timed, target, true, source));
        ratios("shipEncryptedToZstdAge", encrypted, start, age);
      }
      if (targets.isServer()) {
        Map<String, Long> requests = target.requests();
        double gibibytes = size.sizeBytes() / (double) (1 << 30);
        report.result("requestsOfOneShip", requests);
        report.result("requestsPerGibibyte", RequestCounts.perGibibyte(requests, gibibytes));
      }
    }
    report.result("processorSeconds", processorSeconds);
    report.result("wallSeconds", wallSeconds);
    report.result("ratiosOfProcessorTime", ratios);
    report.finish();
    program.forgetRuns();
    for (Path left : List.of(source, little, output, program.work().resolve("stderr"))) {
      ProgramOptions.delete(left);
    }
    return 0;
  }

  private Cost ship(TimedCommand timed, Target target, boolean encrypted, Path source)
      throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    return timed.run(
        program.ship(encrypted, source, target.uri(), List.of("--once")), target.environment());
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

  private void ratios(String name, double whole, double start, double other) {
    ratios.computeIfAbsent(name, _ -> new Samples()).add((whole - start) / other);
    ratios.computeIfAbsent(name + "WithStart", _ -> new Samples()).add(whole / other);
  }
}
