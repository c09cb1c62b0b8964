package dev.tailwater.bench.file;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench names}: what a watch of very many files that nobody writes to costs: heap for each
 * file, the first scan and the next ones, and the longest time between two looks at events.
 */
@Command(name = "names", description = "A watch of very many quiet files.")
public final class NamesBenchmark implements Callable<Integer> {
  private static final int RESCANS = 3;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--files", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int files = 100_000;

  @Option(names = "--directories", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int directories = 1;

  @Option(
      names = "--name-bytes",
      paramLabel = "N",
      description = "Length of each name, at least 9 (default: ${DEFAULT-VALUE}).")
  private int nameBytes = 20;

  @Override
  public Integer call() throws IOException {
    Path root = Files.createDirectories(work).toRealPath().resolve("names");
    RunReport report =
        new RunReport("names", work, ProgramOptions.directories(runs))
            .condition(
                "command",
                "bench names --files %d --directories %d --name-bytes %d"
                    .formatted(files, directories, nameBytes));
    try {
      create(root);
      measure(root, report);
    } finally {
      delete(root);
    }
    report.finish();
    return 0;
  }

  private void create(Path root) throws IOException {
    String rest = "x".repeat(Math.max(0, nameBytes - 9));
    for (int i = 0; i < files; i++) {
      Path directory = root.resolve("d" + i % directories);
      if (i < directories) {
        Files.createDirectories(directory);
      }
      Files.createFile(directory.resolve("f%08d%s".formatted(i, rest)));
    }
  }

  private static void measure(Path root, RunReport report) throws IOException {
    long heapBefore = usedHeapBytes();
    try (DirectoryWatch watch =
        DirectoryWatch.open(
            LinuxFileCalls.create(),
            List.of(PosixPath.of(root)),
            WatchOptions.defaults().withReconcileMillis(Integer.MAX_VALUE),
            System::nanoTime)) {
      report.result("firstScan", scan(watch));
      long heapBytes = usedHeapBytes() - heapBefore;
      report.result("heapBytes", heapBytes);
      report.result("heapBytesEachFile", heapBytes / watch.statistics().files());
      for (int i = 1; i <= RESCANS; i++) {
        report.result("scan" + i, scan(watch));
      }
    }
  }

  /** Scans everything once, and waits for nothing. */
  private static Map<String, Object> scan(DirectoryWatch watch) throws IOException {
    long processorBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long began = System.nanoTime();
    long longest = 0;
    int polls = 0;
    long changes = 0;
    watch.requestScan();
    while (watch.isScanning()) {
      long pollBegan = System.nanoTime();
      changes += watch.poll(0).size();
      longest = Math.max(longest, System.nanoTime() - pollBegan);
      polls++;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("changes", changes);
    result.put("polls", polls);
    result.put("millis", (System.nanoTime() - began) / 1_000_000);
    result.put("longestPollMillis", longest / 1_000_000);
    result.put(
        "processorMillis",
        (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processorBefore)
            / 1_000_000);
    return result;
  }

  private static long usedHeapBytes() {
    for (int i = 0; i < 3; i++) {
      ManagementFactory.getMemoryMXBean().gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root).sorted(Comparator.reverseOrder())) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.delete(path);
      }
    }
  }
}
