package dev.tailwater.bench.file;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.io.async.RandomReadOptions;
import dev.tailwater.io.async.RandomReads;
import dev.tailwater.io.async.ReadEngine;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench random-reads}: both engines of {@link RandomReads} beside fio with io_uring: the
 * same file, block size and depth, cold, past the page cache and through it. All take turns in each
 * round, and what counts is the median of the ratios of the rounds.
 */
@Command(name = "random-reads", description = "RandomReads beside fio(1), which must be installed.")
public final class RandomReadsBenchmark implements Callable<Integer> {
  private static final int BLOCK_BYTES = 4096;
  private static final int[] DEPTHS = {1, 4, 32};
  private static final long SEED = 1;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each reads in a round (default: ${DEFAULT-VALUE}).")
  private int seconds = 1;

  @Option(
      names = "--mib",
      paramLabel = "N",
      description = "Size of the file in MiB (default: ${DEFAULT-VALUE}).")
  private int sizeMebibytes = 2_048;

  private final FileCalls calls = LinuxFileCalls.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path file = Files.createDirectories(work).toRealPath().resolve("random-reads");
    RunReport report =
        new RunReport("random-reads", work, ProgramOptions.directories(runs))
            .condition(
                "command",
                "bench random-reads --mib %d --rounds %d --seconds %d"
                    .formatted(sizeMebibytes, rounds, seconds))
            .condition("blockBytes", BLOCK_BYTES);
    long sizeBytes = (long) sizeMebibytes << 20;
    Fio fio = new Fio(file, sizeBytes);
    try {
      fio.layOut();
      int[] order = shuffled((int) (sizeBytes / BLOCK_BYTES));
      RandomReadRun ours = new RandomReadRun(calls, file, BLOCK_BYTES, order);
      warmUp(ours);
      for (boolean direct : new boolean[] {true, false}) {
        for (int depth : DEPTHS) {
          String name = (direct ? "direct" : "buffered") + "Depth" + depth;
          report.result(name, compare(fio, ours, depth, direct));
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
    report.finish();
    return 0;
  }

  private static int[] shuffled(int count) {
    Random random = new Random(SEED);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  /** So that both engines are compiled. */
  private void warmUp(RandomReadRun ours) throws IOException {
    for (ReadEngine engine : ReadEngine.values()) {
      try (RandomReads reads = open(engine, DEPTHS[DEPTHS.length - 1])) {
        ours.run(reads, DEPTHS[DEPTHS.length - 1], true, 1);
        ours.run(reads, DEPTHS[DEPTHS.length - 1], false, 1);
      }
    }
  }

  private RandomReads open(ReadEngine engine, int depth) throws IOException {
    return RandomReads.open(
        calls, RandomReadOptions.defaults().withQueueDepth(depth).withEngine(engine));
  }

  private Map<String, Samples> compare(Fio fio, RandomReadRun ours, int depth, boolean direct)
      throws IOException, InterruptedException {
    Map<String, Samples> samples = new LinkedHashMap<>();
    try (RandomReads uring = open(ReadEngine.URING, depth);
        RandomReads threads = open(ReadEngine.THREADS, depth)) {
      for (int round = 0; round < rounds; round++) {
        RandomReadCost theirs = fio.read(BLOCK_BYTES, depth, direct, seconds);
        add(samples, "fio", theirs);
        RandomReadCost byRing = ours.run(uring, depth, direct, seconds);
        add(samples, "uring", byRing);
        RandomReadCost byThreads = ours.run(threads, depth, direct, seconds);
        add(samples, "threads", byThreads);
        RandomReadCost again = fio.read(BLOCK_BYTES, depth, direct, seconds);
        add(samples, "fio", again);
        double fioReads = (theirs.readsPerSecond() + again.readsPerSecond()) / 2;
        ratio(samples, "uring", byRing.readsPerSecond() / fioReads);
        ratio(samples, "threads", byThreads.readsPerSecond() / fioReads);
      }
    }
    System.err.printf(
        Locale.ROOT,
        "%-8s depth %2d   fio %7.0f/s   io_uring %7.0f/s  %.2f   threads %7.0f/s  %.2f%n",
        direct ? "direct" : "buffered",
        depth,
        median(samples, "fioReadsPerSecond"),
        median(samples, "uringReadsPerSecond"),
        median(samples, "uringToFio"),
        median(samples, "threadsReadsPerSecond"),
        median(samples, "threadsToFio"));
    return samples;
  }

  private static void add(Map<String, Samples> samples, String who, RandomReadCost cost) {
    of(samples, who + "ReadsPerSecond").add(cost.readsPerSecond());
    of(samples, who + "ProcessorMicrosPerRead").add(cost.processorMicrosPerRead());
  }

  private static void ratio(Map<String, Samples> samples, String who, double ratio) {
    of(samples, who + "ToFio").add(ratio);
  }

  private static Samples of(Map<String, Samples> samples, String name) {
    return samples.computeIfAbsent(name, _ -> new Samples());
  }

  private static double median(Map<String, Samples> samples, String name) {
    return of(samples, name).median();
  }
}
