package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench notices}: what it costs to watch for notices: processor seconds for each hour, and
 * resident memory, of agents with nothing to ship, beside each other: one that asks nobody, and one
 * for each kind of source.
 */
@Command(name = "notices", description = "Processor time and memory of watching for notices.")
public final class NoticesBenchmark implements Callable<Integer> {
  private static final List<String> WATCHED =
      List.of("off", "ec2", "gce", "azure", "file:/nonexistent/going-down");

  private static final double SECONDS_PER_HOUR = 3600;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long they are watched (default: ${DEFAULT-VALUE}).")
  private int seconds = 300;

  @Option(
      names = "--settle",
      paramLabel = "N",
      description = "Seconds before that (default: ${DEFAULT-VALUE}).")
  private int settleSeconds = 60;

  /** An agent, and what it had used when the measurement began. */
  private record Watched(String source, RunningProgram agent, double processorSeconds) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("notices")
            .condition(
                "command", "bench notices --seconds " + seconds + " --settle " + settleSeconds);
    Path home = Files.createDirectories(program.work().resolve("agents"));
    List<RunningProgram> agents = new ArrayList<>();
    try (QuietCloud cloud = new QuietCloud()) {
      try {
        for (int i = 0; i < WATCHED.size(); i++) {
          agents.add(start(home.resolve("agent-" + i), WATCHED.get(i), cloud));
        }
        measure(agents, cloud, report);
      } finally {
        for (RunningProgram agent : agents) {
          agent.close();
        }
      }
    }
    report.finish();
    ProgramOptions.delete(home);
    return 0;
  }

  private RunningProgram start(Path home, String source, QuietCloud cloud) throws IOException {
    String uri = "http://" + cloud.address();
    return RunningProgram.start(
        program.idleAgent(home, List.of("--notices", source)),
        Map.of(
            "AWS_EC2_METADATA_SERVICE_ENDPOINT",
            uri,
            "GCE_METADATA_HOST",
            cloud.address(),
            "TAILWATER_AZURE_METADATA_ENDPOINT",
            uri),
        Files.createDirectories(home).resolve("stderr"));
  }

  private void measure(List<RunningProgram> agents, QuietCloud cloud, RunReport report)
      throws IOException, InterruptedException {
    Thread.sleep(Duration.ofSeconds(settleSeconds));
    List<Watched> before = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      agents.get(i).requireAlive();
      before.add(new Watched(WATCHED.get(i), agents.get(i), agents.get(i).processorSeconds()));
    }
    long requestsBefore = cloud.requests();
    long startNanos = System.nanoTime();
    Thread.sleep(Duration.ofSeconds(seconds));
    double hours = (System.nanoTime() - startNanos) / 1e9 / SECONDS_PER_HOUR;
    for (Watched watched : before) {
      watched.agent().requireAlive();
      double used = watched.agent().processorSeconds() - watched.processorSeconds();
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("processorSecondsPerHour", used / hours);
      figures.put("residentMebibytes", watched.agent().residentKibibytes().orElse(0) / 1024.0);
      report.result(watched.source(), figures);
    }
    report.result("requestsPerHour", Math.round((cloud.requests() - requestsBefore) / hours));
  }
}
