package dev.tailwater.cli.command.store;

import dev.tailwater.cli.bench.BenchPlan;
import dev.tailwater.cli.bench.BenchReport;
import dev.tailwater.cli.bench.PhaseResult;
import dev.tailwater.cli.bench.StoreBench;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.tool.StoreMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store bench}. */
@Command(
    name = "bench",
    description =
        "Measure a new store on the file system of a directory. It is made in a directory"
            + " below, which is deleted afterwards.",
    footer = {
      "",
      "Values are random bytes; keys have 16 bytes. Reads are of what was just written,"
          + " so from the page cache if it is large enough."
    })
final class StoreBenchCommand implements Callable<Integer> {
  private static final int MOST_THREADS = 1024;

  private final Surroundings surroundings;

  @Mixin private StoreDirectory directory = new StoreDirectory();

  @Mixin private ModeOption mode = new ModeOption();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--entries",
      paramLabel = "N",
      description = "Number of entries in the store (default: ${DEFAULT-VALUE}).")
  private int entries = 100_000;

  @Option(
      names = "--value-size",
      paramLabel = "SIZE",
      description = "Length of each value (default: ${DEFAULT-VALUE}).")
  private String valueSize = "100B";

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "Numbers of threads that put with group commit, one after another (default:"
              + " 1,8,32).")
  private List<Integer> threads = new ArrayList<>(List.of(1, 8, 32));

  @Option(
      names = "--read-threads",
      paramLabel = "N",
      description = "Number of threads that read (default: ${DEFAULT-VALUE}).")
  private int readThreads = 2;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long each measurement takes (default: ${DEFAULT-VALUE}).")
  private String duration = "3s";

  StoreBenchCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    BenchPlan plan = plan();
    Path below = directory.absolute(surroundings);
    if (!Files.isDirectory(below)) {
      throw UserException.usage(
          directory.name() + (Files.exists(below) ? ": not a directory" : ": no such directory"),
          "name an existing one on the file system to be measured: 'tailwater store bench DIR'");
    }
    if (StoreMode.of(directory.calls(), PosixPath.of(below)).isPresent()) {
      throw UserException.usage(
          directory.name() + " is a store",
          "name a directory beside it: bench makes its own store");
    }
    List<PhaseResult> results = new ArrayList<>();
    Path scratch = Files.createTempDirectory(below, "tailwater-bench-");
    Thread cleaner = new Thread(() -> delete(scratch));
    Runtime.getRuntime().addShutdownHook(cleaner);
    try (TerminalProgress progress = TerminalProgress.counting(surroundings, "bench")) {
      new StoreBench(directory.calls(), PosixPath.of(scratch.resolve("store")), plan, progress::at)
          .run(results::add);
    } finally {
      Runtime.getRuntime().removeShutdownHook(cleaner);
      delete(scratch);
    }
    if (json.wanted()) {
      Json.object(
          surroundings.out(),
          generator -> {
            generator.writeStringField("mode", plan.mode().text());
            generator.writeNumberField("entries", plan.entries());
            generator.writeNumberField("keyBytes", BenchPlan.KEY_BYTES);
            generator.writeNumberField("valueBytes", plan.valueBytes());
            BenchReport.write(results, generator);
          });
    } else {
      BenchReport.print(results, surroundings.out());
    }
    return ExitCode.DONE.number();
  }

  private BenchPlan plan() {
    long valueBytes = parsed("--value-size", () -> ByteSizes.parse(valueSize));
    long millis = parsed("--duration", () -> Durations.parse(duration).toMillis());
    check("--entries", entries, Integer.MAX_VALUE - 1000);
    check("--value-size", valueBytes, KeyValueStore.MAX_VALUE_BYTES);
    check("--read-threads", readThreads, MOST_THREADS);
    check("--duration", millis, Integer.MAX_VALUE);
    threads.forEach(number -> check("--threads", number, MOST_THREADS));
    return new BenchPlan(mode.wanted(), entries, (int) valueBytes, threads, readThreads, millis);
  }

  private static long parsed(String option, Supplier<Long> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          option + ": " + e.getMessage(), "see 'tailwater store bench --help'");
    }
  }

  private static void check(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw UserException.usage(
          option + " " + value + " is not possible", "give a number from 1 to " + most);
    }
  }

  private void delete(Path scratch) {
    try (Stream<Path> paths = Files.walk(scratch)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failed) {
      surroundings.err().println("tailwater: " + scratch + " could not be deleted: " + failed);
    }
  }
}
