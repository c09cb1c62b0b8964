package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
 * first run, and its appearance is polled every half millisecond. To a server on loopback there is
 * a third variant: the plug-in in a class loader of its own, and a cache of the program alone.
 */
@Command(name = "start", description = "Time from the start to the first object.")
public final class StartBenchmark implements Callable<Integer> {
  private static final int FILE_BYTES = 1_000;
  private static final long POLL_NANOS = 500_000;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Map<String, String> WITHOUT_CACHE =
      Map.of("TAILWATER_JAVA_OPTS", "-XX:AOTMode=off");

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Compare starts without and with this directory of plug-ins; the program is to have none"
              + " beside it.")
  private Path plugins = Path.of("");

  private final Map<String, Samples> seconds = new LinkedHashMap<>();
  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(targets.reportName("start"))
            .condition(
                "command",
                "bench start --rounds "
                    + rounds
                    + (comparesPlugins() ? " --plugins DIR" : "")
                    + targets.words());
    Path source = Files.createDirectories(program.work().resolve("source"));
    Files.write(source.resolve("access.log"), new AccessLog(1).next(FILE_BYTES));
    Map<String, Map<String, String>> variants = variants();
    try (Target target = targets.start(program)) {
      Path object = firstObject(source, target);
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, Map<String, String>> variant : variants.entrySet()) {
          measure(variant.getKey(), variant.getValue(), source, object, target);
        }
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

  /** Returns the environment of each variant. */
  private Map<String, Map<String, String>> variants() throws IOException {
    Map<String, Map<String, String>> variants = new LinkedHashMap<>();
    if (comparesPlugins()) {
      variants.put("withoutPlugins", Map.of());
      variants.put("withPlugins", pluginsIn(plugins.toRealPath()));
      return variants;
    }
    variants.put("withCache", Map.of());
    if (targets.isServer()) {
      variants.put("ownLoader", pluginsIn(program.plugins()));
    }
    variants.put("withoutCache", WITHOUT_CACHE);
    return variants;
  }

  private static Map<String, String> pluginsIn(Path directory) {
    return Map.of("TAILWATER_PLUGINS", directory.toString());
  }

  private Path firstObject(Path source, Target target) throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    try (RunningProgram running = start(source, Map.of(), target)) {
      running.awaitSuccess();
    }
    Path objects =
        target
            .objects()
            .orElseThrow(() -> new IOException("the objects of this destination are no files"));
    try (Stream<Path> all = Files.walk(objects)) {
      return all.filter(path -> path.toString().endsWith(".zst"))
          .findFirst()
          .orElseThrow(() -> new IOException("nothing was delivered"));
    }
  }

  private RunningProgram start(Path source, Map<String, String> environment, Target target)
      throws IOException {
    Map<String, String> all = new HashMap<>(target.environment());
    all.putAll(environment);
    return RunningProgram.start(
        program.ship(false, source, target.uri(), List.of("--once")),
        all,
        program.work().resolve("stderr"));
  }

  private void measure(
      String name, Map<String, String> environment, Path source, Path object, Target target)
      throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    long startNanos = System.nanoTime();
    try (RunningProgram running = start(source, environment, target)) {
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
