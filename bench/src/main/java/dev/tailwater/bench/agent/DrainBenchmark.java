package dev.tailwater.bench.agent;

import dev.tailwater.archive.Codec;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.target.NarrowUplink;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.AgentEnvironment;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.lab.seal.AccessLog;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench drain}: seconds until nothing is at risk, with the codec and the deliveries that a
 * drain with a deadline chooses, beside each fixed choice of them with as many workers as there are
 * processors (a drain without a deadline does as it is told).
 */
@Command(name = "drain", description = "How long a drain takes, beside fixed choices.")
public final class DrainBenchmark implements Callable<Integer> {
  private static final String OURS = "chosen by the drain";
  private static final int FILE_BYTES = 5 << 20;
  private static final Duration NEVER = Duration.ofHours(10);

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "Emptied again.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      description = "At risk when the drain begins (default: ${DEFAULT-VALUE}).")
  private int megabytes = 200;

  @Option(
      names = "--uplink",
      paramLabel = "MB/S",
      description = "What the uplink carries; 0: as much as the file system takes.")
  private int uplinkMegabytes;

  @Option(
      names = "--codecs",
      split = ",",
      paramLabel = "CODEC",
      description = "Fixed choices (default: ${DEFAULT-VALUE}).")
  private List<String> codecs = List.of("store", "zstd:-5", "zstd:1", "zstd:3", "zstd:6", "zstd:9");

  @Option(
      names = "--parallel",
      split = ",",
      paramLabel = "N",
      description = "Deliveries at once (default: ${DEFAULT-VALUE}).")
  private List<Integer> parallel = List.of(2, 8);

  private final AgentEnvironment environment = AgentEnvironment.system();

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        new RunReport("drain", work, ProgramOptions.directories(runs))
            .condition("command", command())
            .condition("atRiskMegabytes", megabytes)
            .condition("uplinkMegabytesPerSecond", uplinkMegabytes)
            .condition("workersOfFixedChoices", processors());
    Path source = work.resolve("source");
    for (String left : List.of("source", "archive", "state")) {
      ProgramOptions.delete(work.resolve(left)); // Of a run that was killed.
    }
    Files.createDirectories(source);
    AccessLog lines = new AccessLog(1);
    for (int i = 0; i < Math.max(1, megabytes * 1_000_000L / FILE_BYTES); i++) {
      try (OutputStream file = Files.newOutputStream(source.resolve("access-" + i + ".log"))) {
        lines.write(file, FILE_BYTES);
      }
    }
    // An agent has run for long when its drain comes: its code is compiled.
    measure(new LinkedHashMap<>(), "not counted", ours(source), Optional.of(NEVER));
    Map<String, Samples> seconds = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      measure(seconds, OURS, ours(source), Optional.of(NEVER));
      for (String codec : codecs) {
        for (int deliveries : parallel) {
          AgentConfig fixed = config(source, Codec.parse(codec), processors(), deliveries);
          measure(seconds, codec + " x " + deliveries, fixed, Optional.empty());
        }
      }
    }
    ProgramOptions.delete(source);
    Map.Entry<String, Samples> best =
        seconds.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(OURS))
            .min(Comparator.comparingDouble(entry -> entry.getValue().median()))
            .orElseThrow();
    double ours = seconds.getOrDefault(OURS, new Samples()).median();
    report
        .result("secondsUntilNothingIsAtRisk", seconds)
        .result("bestFixedChoice", best.getKey())
        .result("timesTheBestFixedChoice", ours / best.getValue().median())
        .finish();
    return 0;
  }

  private String command() {
    return "bench drain --rounds "
        + rounds
        + " --megabytes "
        + megabytes
        + " --uplink "
        + uplinkMegabytes
        + " --codecs "
        + String.join(",", codecs)
        + " --parallel "
        + String.join(",", parallel.stream().map(String::valueOf).toList());
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  private AgentConfig ours(Path source) {
    return config(source, new Codec.Zstd(1), 1, 8);
  }

  private AgentConfig config(Path source, Codec codec, int workers, int deliveries) {
    return AgentConfig.builder(
            "bench",
            List.of(new Source(PosixPath.of(source), List.of(), List.of())),
            PosixPath.of(work.resolve("state")))
        .codec(codec)
        .maxAge(NEVER) // Nothing leaves before the drain: no file is as long as a segment.
        .workers(workers)
        .parallelDeliveries(deliveries)
        .mergeToBytes(OptionalLong.of(0))
        .build();
  }

  private void measure(
      Map<String, Samples> seconds, String name, AgentConfig config, Optional<Duration> deadline)
      throws IOException, InterruptedException {
    Path archive = work.resolve("archive");
    Files.createDirectories(archive);
    try (Agent agent =
        Agent.start(
            config, uplink(archive), RetryPolicy.forever(), environment, new LoudListener())) {
      agent.awaitFirstScan();
      DrainReport report = agent.drain(deadline);
      if (!report.isComplete() || report.totals().deliveredBytes() < (long) megabytes * 900_000) {
        throw new IOException("the drain was to deliver everything: " + report);
      }
      double taken = report.totals().took().toNanos() / 1e9;
      seconds.computeIfAbsent(name, _ -> new Samples()).add(taken);
      System.err.printf("%s: %.2f s%n", name, taken);
    }
    ProgramOptions.delete(archive);
    ProgramOptions.delete(work.resolve("state"));
  }

  private Destination uplink(Path archive) throws IOException {
    Destination real =
        Destinations.open(
            archive.toString(),
            OpenIntent.WRITE,
            new DestinationContext(
                environment.calls(), InstantSource.system(), environment.random()));
    return uplinkMegabytes == 0 ? real : new NarrowUplink(real, uplinkMegabytes * 1_000_000L);
  }

  /** Trouble spoils a measurement, so it is shown. */
  private static final class LoudListener implements ProblemListener {
    @Override
    public void began(Problem problem) {
      System.err.println("problem: " + problem.message());
    }

    @Override
    public void ended(Problem problem) {
      System.err.println("over: " + problem.subject());
    }
  }
}
