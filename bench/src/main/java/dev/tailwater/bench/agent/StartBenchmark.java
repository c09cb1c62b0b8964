package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.target.SegmentObserver;
import dev.tailwater.bench.target.Target;
import dev.tailwater.bench.target.TargetOptions;
import dev.tailwater.bench.target.Targets;
import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench start}: from the start of the launcher to the first object at the destination, for
 * one short file and an agent that has never run before. That is later than the first byte read, by
 * the time to seal and write the object. With the start-up cache and without it, in turn; or
 * without and with directories of plug-ins, none of which is needed; or with {@code --all} to all
 * five kinds of destinations in turn, each with its cache.
 *
 * <p>A first run that is not measured makes the caches. To a server there is a third variant: the
 * plug-in in a class loader of its own, and a cache of the program alone. The processor time is the
 * last that was seen before the object was there, and the peak of resident memory that of the whole
 * run; both are looked at every half millisecond.
 */
@Command(name = "start", description = "Time from the start to the first object.")
public final class StartBenchmark implements Callable<Integer> {
  private static final int FILE_BYTES = 1_000;
  private static final long POLL_NANOS = 500_000;
  private static final long TIMEOUT_SECONDS = 60;
  private static final Map<String, String> WITHOUT_CACHE =
      Map.of("TAILWATER_JAVA_OPTS", "-XX:AOTMode=off");

  @Mixin private ProgramOptions program = new ProgramOptions();
  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Option(
      names = "--all",
      description =
          "To a directory, s3, gs, az and hdfs in turn, as --to names them; all plug-ins must be"
              + " beside the program.")
  private boolean all;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Compare starts without and with this directory of plug-ins; the program is to have none"
              + " beside it.")
  private Path plugins = Path.of("");

  private final Map<String, Samples> seconds = new LinkedHashMap<>();
  private final Map<String, Samples> processorSeconds = new LinkedHashMap<>();
  private final Map<String, Samples> peakMebibytes = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report(all ? "start-all" : targets.reportName("start"))
            .condition(
                "command",
                "bench start --rounds "
                    + rounds
                    + (all ? " --all" : "")
                    + (comparesPlugins() ? " --plugins DIR" : "")
                    + (all ? "" : targets.words()));
    Path source = Files.createDirectories(program.work().resolve("source"));
    Files.write(source.resolve("access.log"), new AccessLog(1).next(FILE_BYTES));
    Map<String, Map<String, String>> variants = variants();
    try (Targets started = all ? targets.startAll(program) : targets.startOnly(program)) {
      for (Target target : started.byKind().values()) {
        makeCaches(source, target);
      }
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, Target> target : started.byKind().entrySet()) {
          for (Map.Entry<String, Map<String, String>> variant : variants.entrySet()) {
            String name = all ? target.getKey() : variant.getKey();
            measure(name, variant.getValue(), source, target.getValue());
          }
        }
      }
    }
    report
        .result("secondsToFirstObject", seconds)
        .result("processorSecondsToFirstObject", processorSeconds)
        .result("peakResidentMebibytes", peakMebibytes)
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
    if (all) {
      return variants;
    }
    if (targets.isServer()) {
      variants.put("ownLoader", pluginsIn(program.plugins()));
    }
    variants.put("withoutCache", WITHOUT_CACHE);
    return variants;
  }

  private static Map<String, String> pluginsIn(Path directory) {
    return Map.of("TAILWATER_PLUGINS", directory.toString());
  }

  private void makeCaches(Path source, Target target) throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    try (RunningProgram running = start(source, Map.of(), target)) {
      running.awaitSuccess();
    }
  }

  private RunningProgram start(Path source, Map<String, String> environment, Target target)
      throws IOException {
    Map<String, String> everything = new HashMap<>(target.environment());
    everything.putAll(environment);
    return RunningProgram.start(
        program.ship(false, source, target.uri(), List.of("--once")),
        everything,
        program.work().resolve("stderr"));
  }

  private void measure(String name, Map<String, String> environment, Path source, Target target)
      throws IOException, InterruptedException {
    program.forgetRuns();
    target.empty();
    CompletableFuture<Long> firstNanos = new CompletableFuture<>();
    try (SegmentObserver observer =
        target.observe((_, _, _, nanos) -> firstNanos.complete(nanos))) {
      long startNanos = System.nanoTime();
      NavigableMap<Long, Double> processorByNanos = new TreeMap<>(Map.of(startNanos, 0.0));
      double processorSoFar = 0;
      long peakKibibytes = 0;
      try (RunningProgram running = start(source, environment, target)) {
        while (running.isAlive()) {
          processorSoFar = Math.max(processorSoFar, running.processorSeconds());
          processorByNanos.put(System.nanoTime(), processorSoFar);
          OptionalLong now = running.peakResidentKibibytes();
          peakKibibytes = Math.max(peakKibibytes, now.orElse(0));
          TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
        }
        running.awaitSuccess();
      }
      long nanos = firstNanos.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      observer.requireHealthy();
      double wall = (nanos - startNanos) / 1e9;
      double processor = processorByNanos.floorEntry(nanos).getValue();
      add(seconds, name, wall);
      add(processorSeconds, name, processor);
      add(peakMebibytes, name, peakKibibytes / 1024.0);
      System.err.println(
          name + " " + wall + " s, processor " + processor + " s, KiB " + peakKibibytes);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no object was seen", e);
    }
  }

  private static void add(Map<String, Samples> samples, String name, double sample) {
    samples.computeIfAbsent(name, _ -> new Samples()).add(sample);
  }
}
