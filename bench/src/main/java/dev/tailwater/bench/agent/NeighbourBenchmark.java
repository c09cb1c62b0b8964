package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.AccessLogFile;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.lab.measure.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * {@code bench neighbour}: what a program on the same processors loses while a log that grows by 20
 * MB/s is delivered to a directory, beside nobody delivering it. The writer runs all the time, so
 * its cost is on both sides. In each round the neighbour is measured alone, beside rsyslog, alone,
 * beside Tailwater with each of the settings that are compared, and alone after each.
 */
@Command(name = "neighbour", description = "What another program loses while files are delivered.")
public final class NeighbourBenchmark implements Callable<Integer> {
  private static final String NOBODY = "nobody";
  private static final String RSYSLOG = "rsyslog";
  private static final int PORT = 18_764;
  private static final int LINES_MIB = 256;

  @Mixin private ProgramOptions program = new ProgramOptions();

  /** What the neighbour does. */
  enum Kind {
    /** Computes with one thread for each processor, and never waits. */
    CPU,
    /** nginx that compresses pages, asked by as many connections as it has workers. */
    HTTP,
    /** The same, asked at a fixed rate. */
    HTTP_RATE
  }

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "cpu, http or http_rate (default: ${DEFAULT-VALUE}).")
  private Kind kind = Kind.CPU;

  @Option(names = "--rounds", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int rounds = 2;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Length of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 8;

  @Option(
      names = "--settle",
      paramLabel = "N",
      description =
          "Seconds between a program's start and its measurement (default:" + " ${DEFAULT-VALUE}).")
  private int settleSeconds = 6;

  @Option(names = "--mb-per-second", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int megabytesPerSecond = 20;

  @Option(
      names = "--requests-per-second",
      paramLabel = "N",
      description = "Of http_rate (default: ${DEFAULT-VALUE}).")
  private int requestsPerSecond = 500;

  @Option(
      names = "--with",
      paramLabel = "NAME:OPTIONS",
      description =
          "Tailwater with these options of ship, with spaces between; can be given several"
              + " times (default: as it comes).")
  private List<String> variants = new ArrayList<>();

  @Option(names = "--no-rsyslog", description = "Without rsyslog.")
  private boolean noRsyslog;

  private final Map<String, Samples> throughput = new LinkedHashMap<>();
  private final Map<String, Samples> lossPercent = new LinkedHashMap<>();
  private final Map<String, Samples> p99Millis = new LinkedHashMap<>();
  private final Map<String, Samples> processorsLeft = new LinkedHashMap<>();
  private final Map<String, Samples> cores = new LinkedHashMap<>();
  private final Map<String, Samples> megabytesDelivered = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (variants.isEmpty()) {
      variants.add("tailwater:");
    }
    RunReport report =
        program
            .report("neighbour-" + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
            .condition("rounds", rounds)
            .condition("seconds", seconds)
            .condition("settleSeconds", settleSeconds)
            .condition("megabytesPerSecond", megabytesPerSecond)
            .condition("variants", variants);
    if (kind == Kind.HTTP_RATE) {
      report.condition("requestsPerSecond", requestsPerSecond);
    }
    Path lines = program.work().resolve("lines");
    AccessLogFile.write(lines, 1, (long) LINES_MIB << 20);
    NeighbourPrograms programs = new NeighbourPrograms(program.work());
    Path idle = program.work().resolve("unread.log");
    if (kind == Kind.CPU) {
      try (ChildJvm neighbour =
          NeighbourPrograms.child(
              CpuNeighbourChild.class, Runtime.getRuntime().availableProcessors())) {
        run(programs, neighbour, lines, idle);
      }
    } else {
      try (RunningProgram nginx = programs.nginx(PORT)) {
        TimeUnit.SECONDS.sleep(1);
        nginx.requireAlive();
        boolean paced = kind == Kind.HTTP_RATE;
        try (ChildJvm neighbour =
            NeighbourPrograms.child(
                HttpLoadChild.class, PORT, paced ? 16 : 4, paced ? requestsPerSecond : 0)) {
          run(programs, neighbour, lines, idle);
        }
      }
    }
    report.result("neighbourPerSecond", throughput);
    report.result("lossPercent", lossPercent);
    if (kind == Kind.CPU) {
      report.result("processorsOfTheNeighbour", processorsLeft);
    } else {
      report.result("neighbourP99Millis", p99Millis);
    }
    report.result("processorsTaken", cores);
    report.result("megabytesPerSecondDelivered", megabytesDelivered);
    report.finish();
    program.forgetRuns();
    ProgramOptions.delete(program.work());
    return 0;
  }

  private void run(NeighbourPrograms programs, ChildJvm neighbour, Path lines, Path idle)
      throws IOException, InterruptedException {
    try (ChildJvm writer =
        NeighbourPrograms.child(
            PacedWriterChild.class, lines, megabytesPerSecond * 1_000_000, idle)) {
      TimeUnit.SECONDS.sleep(settleSeconds); // The neighbour's code is compiled, too.
      for (int round = 0; round < rounds; round++) {
        double alone = measureAlone(neighbour, writer, idle);
        if (!noRsyslog) {
          Path log = freshSource().resolve("access.log");
          Path copy = program.work().resolve("copy.log");
          writer.ask(log);
          try (RunningProgram rsyslog = programs.rsyslog(log, copy)) {
            measureBeside(RSYSLOG, rsyslog, neighbour, () -> size(copy));
          }
          alone = compare(RSYSLOG, alone, measureAlone(neighbour, writer, idle));
          Files.deleteIfExists(copy);
          ProgramOptions.delete(program.work().resolve("rsyslog"));
        }
        for (String variant : variants) {
          String[] parts = variant.split(":", 2);
          List<String> options =
              parts.length == 1 || parts[1].isBlank()
                  ? List.of()
                  : List.of(parts[1].strip().split(" +"));
          Path source = freshSource();
          program.forgetRuns();
          writer.ask(source.resolve("access.log"));
          try (RunningProgram running = programs.start(ship(source, options), "tailwater")) {
            measureBeside(parts[0], running, neighbour, this::archivedBytes);
            writer.ask(idle); // So that the drain at the end is short.
          }
          alone = compare(parts[0], alone, measureAlone(neighbour, writer, idle));
        }
      }
    }
  }

  private double measureAlone(ChildJvm neighbour, ChildJvm writer, Path idle)
      throws IOException, InterruptedException {
    Files.deleteIfExists(idle);
    writer.ask(idle);
    TimeUnit.SECONDS.sleep(1);
    return measure(NOBODY, neighbour);
  }

  /** With what it was alone, on the average of before and after; the latter is returned. */
  private double compare(String name, double before, double after) {
    add(lossPercent, name, 100 * (1 - last(name) * 2 / (before + after)));
    return after;
  }

  private List<String> ship(Path source, List<String> options) throws IOException {
    List<String> words = program.ship(false, source, options);
    if (options.contains("--compress")) {
      int usual = words.indexOf("--compress");
      words.subList(usual, usual + 2).clear();
    }
    return words;
  }

  private Path freshSource() throws IOException {
    Path source = program.work().resolve("source");
    ProgramOptions.delete(source);
    return Files.createDirectories(source);
  }

  private interface Delivered {
    long bytes() throws IOException;
  }

  private void measureBeside(
      String name, RunningProgram running, ChildJvm neighbour, Delivered delivered)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(settleSeconds);
    double before = running.processorSeconds();
    long bytesBefore = delivered.bytes();
    long startNanos = System.nanoTime();
    measure(name, neighbour);
    double wall = (System.nanoTime() - startNanos) / 1e9;
    running.requireAlive();
    add(cores, name, (running.processorSeconds() - before) / wall);
    add(megabytesDelivered, name, (delivered.bytes() - bytesBefore) / wall / 1e6);
  }

  /** What the neighbour gets done in a second. */
  private double measure(String name, ChildJvm neighbour) throws IOException, InterruptedException {
    double[] start = neighbour.ask("now");
    TimeUnit.SECONDS.sleep(seconds);
    double[] end = neighbour.ask("now");
    double rate =
        kind == Kind.CPU ? (end[0] - start[0]) / (end[1] - start[1]) * 1e9 : end[0] / end[1] * 1e9;
    add(throughput, name, rate);
    if (kind == Kind.CPU) {
      add(processorsLeft, name, (end[2] - start[2]) / (end[1] - start[1]));
    } else {
      add(p99Millis, name, end[3] / 1e6);
    }
    return rate;
  }

  private double last(String name) {
    return throughput.getOrDefault(name, new Samples()).values().getLast();
  }

  private static void add(Map<String, Samples> all, String name, double value) {
    all.computeIfAbsent(name, _ -> new Samples()).add(value);
  }

  private static long size(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Bytes of the log that segments hold, by their names: start and end of a range. */
  private long archivedBytes() throws IOException {
    if (!Files.exists(program.archive())) {
      return 0;
    }
    try (Stream<Path> all = Files.walk(program.archive())) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.matches("[0-9]+-[0-9]+\\.zst"))
          .mapToLong(name -> Long.parseLong(name.replaceFirst("[0-9]+-([0-9]+)\\..*", "$1")))
          .max()
          .orElse(0);
    }
  }
}
