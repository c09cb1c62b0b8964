package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SmallFiles;
import dev.tailwater.bench.run.TimedCommand;
import dev.tailwater.bench.run.TimedCommand.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench many}: what {@code tailwater ship --once} costs for many short files, in packs and
 * in segments, beside {@code tar c | zstd -1} and {@code restic backup}; and what it costs to
 * restore them, beside {@code tar x} and {@code restic restore}. All run in turn in each round on
 * the same files, which are in the page cache. The start of the JVM is part of the figures.
 *
 * <p>Restored files stay until all is measured: for some minutes, ext4 looks at each inode that was
 * deleted before it takes another one, and after 200 000 deletions that costs 0.5 ms for a new
 * file.
 */
@Command(name = "many", description = "Many short files, beside tar and zstd, and restic.")
public final class ManyBenchmark implements Callable<Integer> {
  private static final String TAR = "tar -c -C \"$1\" . | zstd -1 --single-thread -q -c > \"$2\"";
  private static final String UNTAR = "mkdir \"$2\" && zstd -dc \"$1\" | tar -x -C \"$2\"";
  private static final long POLL_MILLIS = 10;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 10_000;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "Bytes of each file (default: ${DEFAULT-VALUE}).")
  private int bytes = 4096;

  @Option(names = "--seed", paramLabel = "N", description = "Seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--no-segments",
      description = "Leave out one segment for each file, which takes long.")
  private boolean withoutSegments;

  @Option(names = "--restic", description = "Measure restic as well, which must be installed.")
  private boolean withRestic;

  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> wallSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> processorTimeToTar = new LinkedHashMap<>();
  private final Map<String, Samples> wallTimeToRestic = new LinkedHashMap<>();
  private final Map<String, Samples> wallTimeToTar = new LinkedHashMap<>();
  private final Map<String, Samples> objects = new LinkedHashMap<>();
  private final Map<String, Samples> storedBytesToTar = new LinkedHashMap<>();
  private final Map<String, Samples> peakResidentMebibytes = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("many")
            .condition(
                "command",
                "bench many --files "
                    + files
                    + " --bytes "
                    + bytes
                    + " --rounds "
                    + rounds
                    + (withoutSegments ? " --no-segments" : "")
                    + (withRestic ? " --restic" : ""))
            .condition("files", files)
            .condition("bytesOfEach", bytes)
            .condition("seed", seed);
    Path source = Files.createDirectories(program.work().resolve("source"));
    Path output = program.work().resolve("output");
    new SmallFiles(source, files, bytes, seed);
    TimedCommand timed = new TimedCommand(program.work());
    for (int round = 0; round < rounds; round++) {
      Cost tar = timed.shell(TAR, List.of(source.toString(), output.toString()), Map.of());
      cost("tar", tar);
      if (!withoutSegments) {
        measure("segments", List.of("--once", "--packs", "off"), source, timed, tar, output);
      }
      Cost packs = measure("packs", List.of("--once", "--packs", "on"), source, timed, tar, output);
      Path restored = Files.createDirectories(program.work().resolve("restored-" + round));
      Cost untar =
          timed.shell(
              UNTAR, List.of(output.toString(), restored.resolve("tar").toString()), Map.of());
      cost("tar x", untar);
      Cost restore = timed.run(program.restore(restored.resolve("tailwater")), Map.of());
      cost("restore", restore);
      add(wallTimeToTar, "restore", restore.wallSeconds() / untar.wallSeconds());
      add(processorTimeToTar, "restore", restore.processorSeconds() / untar.processorSeconds());
      if (withRestic) {
        measureRestic(source, restored.resolve("restic"), timed, packs, restore);
      }
    }
    report
        .result("processorSeconds", processorSeconds)
        .result("wallSeconds", wallSeconds)
        .result("processorTimeToTarAndZstd", processorTimeToTar)
        .result("wallTimeToRestic", wallTimeToRestic)
        .result("wallTimeToTar", wallTimeToTar)
        .result("storedBytesToTarAndZstd", storedBytesToTar)
        .result("objects", objects)
        .result("peakResidentMebibytes", peakResidentMebibytes)
        .finish();
    program.forgetRuns();
    Files.deleteIfExists(output);
    ProgramOptions.delete(source);
    for (int round = 0; round < rounds; round++) {
      ProgramOptions.delete(program.work().resolve("restored-" + round));
    }
    return 0;
  }

  private void measureRestic(
      Path source, Path restored, TimedCommand timed, Cost packs, Cost restore)
      throws IOException, InterruptedException {
    Path repository = program.work().resolve("restic");
    Map<String, String> environment =
        Map.of(
            "RESTIC_PASSWORD", "bench",
            "RESTIC_REPOSITORY", repository.toString(),
            "RESTIC_CACHE_DIR", program.work().resolve("restic-cache").toString());
    timed.run(List.of("restic", "-q", "init"), environment);
    Cost backup = timed.run(List.of("restic", "-q", "backup", source.toString()), environment);
    cost("restic backup", backup);
    add(wallTimeToRestic, "packs", packs.wallSeconds() / backup.wallSeconds());
    List<String> words =
        List.of("restic", "-q", "restore", "latest", "--target", restored.toString());
    Cost back = timed.run(words, environment);
    cost("restic restore", back);
    add(wallTimeToRestic, "restore", restore.wallSeconds() / back.wallSeconds());
    ProgramOptions.delete(repository);
    ProgramOptions.delete(program.work().resolve("restic-cache"));
  }

  private Cost measure(
      String name, List<String> options, Path source, TimedCommand timed, Cost tar, Path output)
      throws IOException, InterruptedException {
    program.forgetRuns();
    Cost cost = timed.run(program.ship(false, source, options), Map.of());
    cost(name, cost);
    add(processorTimeToTar, name, cost.processorSeconds() / tar.processorSeconds());
    List<Path> stored = stored();
    add(objects, name, stored.size());
    long storedBytes = 0;
    for (Path object : stored) {
      storedBytes += Files.size(object);
    }
    add(storedBytesToTar, name, (double) storedBytes / Files.size(output));
    add(peakResidentMebibytes, name, peakMebibytes(options, source));
    return cost;
  }

  private List<Path> stored() throws IOException {
    try (Stream<Path> below = Files.walk(program.archive())) {
      return below.filter(Files::isRegularFile).toList();
    }
  }

  private double peakMebibytes(List<String> options, Path source)
      throws IOException, InterruptedException {
    program.forgetRuns();
    long peakKibibytes = 0;
    try (RunningProgram running =
        RunningProgram.start(
            program.ship(false, source, options), Map.of(), program.work().resolve("stderr"))) {
      while (running.isAlive()) {
        peakKibibytes = Math.max(peakKibibytes, running.peakResidentKibibytes().orElse(0));
        Thread.sleep(POLL_MILLIS);
      }
      running.awaitSuccess();
    }
    return peakKibibytes / 1024.0;
  }

  private void cost(String name, Cost cost) {
    add(processorSeconds, name, cost.processorSeconds());
    add(wallSeconds, name, cost.wallSeconds());
    System.err.println(name + " " + cost);
  }

  private static void add(Map<String, Samples> to, String name, double value) {
    to.computeIfAbsent(name, _ -> new Samples()).add(value);
  }
}
