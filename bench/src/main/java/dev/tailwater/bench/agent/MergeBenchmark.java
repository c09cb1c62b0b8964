package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench merge}: files grow for some minutes, once with merging and once without; which
 * segments that leaves, and what merging costs: processor time of the agent, and bytes that it
 * wrote in all. After the growth it waits until nothing is merged any more.
 */
@Command(name = "merge", description = "What merging short segments leaves, and costs.")
public final class MergeBenchmark implements Callable<Integer> {
  private static final Pattern SEGMENT = Pattern.compile("(\\d{19})-(\\d{19})\\.(zst|gz)(\\.age)?");
  private static final long WRITE_EVERY_MILLIS = 50;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 10;

  @Option(
      names = "--rate",
      paramLabel = "BYTES",
      description = "Bytes a second for each file (default: ${DEFAULT-VALUE}).")
  private int bytesPerSecond = 500_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long they grow (default: ${DEFAULT-VALUE}).")
  private int seconds = 600;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description =
          "Seconds of growth before, whose cost does not count (default: ${DEFAULT-VALUE}).")
  private int warmUpSeconds = 30;

  @Option(
      names = "--settle",
      paramLabel = "S",
      description = "Seconds after the growth, whose cost counts (default: ${DEFAULT-VALUE}).")
  private int settleSeconds = 90;

  @Option(
      names = "--merge-to",
      paramLabel = "SIZE",
      description = "Given to the agent (default: ${DEFAULT-VALUE}).")
  private String mergeTo = "64MiB";

  @Option(names = "--encrypted", description = "Segments are encrypted.")
  private boolean encrypted;

  /** What one run cost and left. */
  private record Outcome(double processorSeconds, long writtenBytes, Map<String, List<Long>> left) {
    long segments() {
      return left.values().stream().mapToLong(List::size).sum();
    }

    /** The shortest of all but the last of each file, in raw bytes. */
    double shortestMebibytes() {
      return left.values().stream()
              .flatMap(lengths -> lengths.subList(0, Math.max(0, lengths.size() - 1)).stream())
              .mapToLong(Long::longValue)
              .min()
              .orElse(0)
          / (double) (1 << 20);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunReport report =
        program
            .report("merge")
            .condition(
                "command",
                "bench merge --files "
                    + files
                    + " --rate "
                    + bytesPerSecond
                    + " --seconds "
                    + seconds
                    + " --warm-up "
                    + warmUpSeconds
                    + " --settle "
                    + settleSeconds
                    + " --merge-to "
                    + mergeTo
                    + (encrypted ? " --encrypted" : ""));
    Outcome off = run("off");
    report.result("offProcessorSeconds", off.processorSeconds());
    report.result("offWrittenMebibytes", off.writtenBytes() / (double) (1 << 20));
    report.result("offSegments", off.segments());
    Outcome on = run(mergeTo);
    report.result("onProcessorSeconds", on.processorSeconds());
    report.result("onWrittenMebibytes", on.writtenBytes() / (double) (1 << 20));
    report.result("onSegments", on.segments());
    report.result("shortestButTheLastMebibytes", on.shortestMebibytes());
    report.result(
        "moreProcessorPercent", 100 * (on.processorSeconds() / off.processorSeconds() - 1));
    report.result("moreWrittenPercent", 100.0 * on.writtenBytes() / off.writtenBytes() - 100);
    report.details("leftBytes", on.left());
    report.finish();
    return 0;
  }

  private Outcome run(String merging) throws IOException, InterruptedException {
    program.forgetRuns();
    Path source = program.work().resolve("source");
    ProgramOptions.delete(source);
    Files.createDirectories(source);
    List<OutputStream> growing = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      growing.add(Files.newOutputStream(source.resolve("access-" + i + ".log")));
    }
    List<String> command =
        program.ship(encrypted, source, List.of("--max-age", "1s", "--merge-to", merging));
    Outcome outcome;
    try (RunningProgram running =
        RunningProgram.start(command, Map.of(), program.work().resolve("stderr"))) {
      grow(running, growing, warmUpSeconds);
      double before = running.processorSeconds();
      long writtenBefore = running.writtenBytes();
      grow(running, growing, seconds);
      TimeUnit.SECONDS.sleep(settleSeconds);
      running.requireAlive();
      outcome =
          new Outcome(
              running.processorSeconds() - before,
              running.writtenBytes() - writtenBefore,
              lengths());
    }
    for (OutputStream file : growing) {
      file.close();
    }
    program.forgetRuns();
    ProgramOptions.delete(source);
    return outcome;
  }

  private void grow(RunningProgram running, List<OutputStream> growing, int forSeconds)
      throws IOException, InterruptedException {
    int bytes = (int) (bytesPerSecond * WRITE_EVERY_MILLIS / 1_000);
    AccessLog lines = new AccessLog(1);
    long startNanos = System.nanoTime();
    long writes = forSeconds * 1_000L / WRITE_EVERY_MILLIS;
    for (long i = 1; i <= writes; i++) {
      byte[] block =
          lines.next(bytes); // The same for all files, to leave the machine to the agent.
      for (OutputStream file : growing) {
        file.write(block);
      }
      long next = startNanos + TimeUnit.MILLISECONDS.toNanos(i * WRITE_EVERY_MILLIS);
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
    running.requireAlive();
  }

  /** Raw lengths of the segments that are there, by file and in their order. */
  private Map<String, List<Long>> lengths() throws IOException {
    Map<String, TreeMap<Long, Long>> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(program.archive().resolve("bench"))) {
      for (Path path : all.toList()) {
        Matcher segment = SEGMENT.matcher(path.getFileName().toString());
        if (segment.matches()) {
          long start = Long.parseLong(segment.group(1));
          long length = Long.parseLong(segment.group(2)) - start;
          String file = path.getName(path.getNameCount() - 3).toString();
          found.computeIfAbsent(file, _ -> new TreeMap<>()).merge(start, length, Math::max);
        }
      }
    }
    Map<String, List<Long>> lengths = new LinkedHashMap<>();
    found.forEach((file, segments) -> lengths.put(file, List.copyOf(segments.values())));
    return lengths;
  }
}
