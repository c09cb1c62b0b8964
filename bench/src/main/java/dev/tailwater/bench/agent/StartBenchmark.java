package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench start}: from the start of the launcher to the first object at the destination, for
 * one short file and an agent that has never run before. That is later than the first byte read, by
 * the time to seal and write the object. With the start-up cache and without it, in turn; or
 * without and with directories of plug-ins, none of which is needed.
 *
 * <p>The name of the object follows from the file and the agent's name, so it is known after a
 * first run, and its appearance is polled every half millisecond.
 */
@Command(name = "start", description = "Time from the start to the first object.")
public final class StartBenchmark implements Callable<Integer> {
  private static final int FILE_BYTES = 1_000;
  private static final long POLL_NANOS = 500_000;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Map<String, String> WITHOUT_CACHE =
      Map.of("TAILWATER_JAVA_OPTS", "-XX:AOTMode=off");

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Compare starts without and with this directory of plug-ins; the program is to have none"
              + " beside it.")
  private Path plugins = Path.of("");

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("start")
            .condition(
                "command",
                "bench start --rounds " + rounds + (comparesPlugins() ? " --plugins DIR" : ""));
    Path source = Files.createDirectories(program.work().resolve("source"));
    Files.write(source.resolve("access.log"), new AccessLog(1).next(FILE_BYTES));
    Path object = firstObject(source);
    Map<String, Samples> seconds = new LinkedHashMap<>();
    Map<String, Samples> processorSeconds = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      if (comparesPlugins()) {
        measure("withoutPlugins", Map.of(), source, object, seconds, processorSeconds);
        measure("withPlugins", withPlugins(), source, object, seconds, processorSeconds);
      } else {
        measure("withCache", Map.of(), source, object, seconds, processorSeconds);
        measure("withoutCache", WITHOUT_CACHE, source, object, seconds, processorSeconds);
      }
    }
    report
        .result("secondsToFirstObject", seconds)
        .result("processorSecondsToFirstObject", processorSeconds)
        .finish();
    program.forgetRuns();
    ProgramOptions.delete(source);
    return 0;
  }

  private boolean comparesPlugins() {
    return !plugins.toString().isEmpty();
  }

  private Map<String, String> withPlugins() throws IOException {
    return Map.of("TAILWATER_PLUGINS", plugins.toRealPath().toString());
  }

  private Path firstObject(Path source) throws IOException, InterruptedException {
    program.forgetRuns();
    try (RunningProgram running = start(source, Map.of())) {
      running.awaitSuccess();
    }
    try (Stream<Path> all = Files.walk(program.archive())) {
      return all.filter(path -> path.toString().endsWith(".zst"))
          .findFirst()
          .orElseThrow(() -> new IOException("nothing was delivered"));
    }
  }

  private RunningProgram start(Path source, Map<String, String> environment) throws IOException {
    return RunningProgram.start(
        program.ship(false, source, List.of("--once")),
        environment,
        program.work().resolve("stderr"));
  }

  private void measure(
      String name,
      Map<String, String> environment,
      Path source,
      Path object,
      Map<String, Samples> seconds,
      Map<String, Samples> processorSeconds)
      throws IOException, InterruptedException {
    program.forgetRuns();
    long startNanos = System.nanoTime();
    try (RunningProgram running = start(source, environment)) {
      double processor = 0;
      while (!Files.exists(object)) {
        if (System.nanoTime() - startNanos > TIMEOUT_NANOS) {
          throw new IOException("no object after a minute");
        }
        processor = Math.max(processor, running.processorSeconds());
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      }
      double wall = (System.nanoTime() - startNanos) / 1e9;
      seconds.computeIfAbsent(name, _ -> new Samples()).add(wall);
      processorSeconds.computeIfAbsent(name, _ -> new Samples()).add(processor);
      System.err.println(name + " " + wall + " s, processor " + processor + " s");
      running.awaitSuccess();
    }
  }
}
