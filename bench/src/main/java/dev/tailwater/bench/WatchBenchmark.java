package dev.tailwater.bench;

import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.NotificationMethod;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench watch}: what it costs to know which of many files have changed, by polling, by
 * inotify, by the two together, and by fanotify. The article (004, on Linux 5.3): inotify costs
 * much less than polling when few files change, half of it when every file changes once a second,
 * and more when files change ten times a second, since polling sees one change where inotify tells
 * of ten.
 *
 * <p>What counts is processor time, user and system, of the watching thread alone. All ways have
 * the same bound on latency, except inotify with a fixed tick, which is as the article had it.
 */
@Command(name = "watch", description = "Polling, inotify, the hybrid and fanotify.")
final class WatchBenchmark implements Callable<Integer> {
  static final String CPU_PER_MINUTE = "processorSecondsPerMinute";

  private static final int FILE_BYTES = 100;
  private static final int FIXED_TICK_MILLIS = 20;

  /** The JVM compiles, ticks settle, directories get hot. */
  private static final int SETTLE_SECONDS = 2;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--files", paramLabel = "N", description = "Files (default: ${DEFAULT-VALUE}).")
  private int files = 10_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Length of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 3;

  @Option(
      names = "--latency",
      paramLabel = "MILLIS",
      description = "Bound on the latency of a change (default: ${DEFAULT-VALUE}).")
  private int latencyMillis = 1_000;

  private final FileCalls calls = LinuxFileCalls.create();

  private record Way(String name, WatchOptions options) {}

  private List<Way> ways() {
    WatchOptions quiet =
        WatchOptions.defaults().withReconcileMillis(3_600_000).withPollMillis(latencyMillis);
    return List.of(
        new Way("polling", quiet.withNotification(NotificationMethod.POLLING)),
        new Way(
            "inotifyFixedTick",
            quiet.withTickMillis(FIXED_TICK_MILLIS).withNotification(NotificationMethod.INOTIFY)),
        new Way(
            "hybrid",
            quiet.withTickMillis(2, latencyMillis).withNotification(NotificationMethod.INOTIFY)),
        new Way(
            "fanotify",
            quiet.withTickMillis(2, latencyMillis).withNotification(NotificationMethod.FANOTIFY)));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path root = Files.createDirectories(work).toRealPath().resolve("watched");
    ProgramOptions.delete(root);
    RunReport report =
        new RunReport("watch", work, ProgramOptions.directories(runs))
            .condition("command", command())
            .condition("files", files)
            .condition("latencyMillis", latencyMillis);
    List<Path> tree = new SmallFiles(root, files, FILE_BYTES, 1).files();
    List<WriteLoad> loads =
        List.of(
            new WriteLoad("tenFilesOncePerSecond", calls, tree.subList(0, Math.min(10, files)), 1),
            new WriteLoad("everyFileOncePerSecond", calls, tree, 1),
            new WriteLoad("everyFileTenTimesPerSecond", calls, tree, 10));
    for (Way way : ways()) {
      measure(way, root, loads.getLast(), 1);
    }
    StringBuilder table = new StringBuilder();
    for (WriteLoad load : loads) {
      Map<String, Object> byWay = new LinkedHashMap<>();
      for (Way way : ways()) {
        Map<String, Object> figures = measure(way, root, load, seconds);
        byWay.put(way.name(), figures);
        table.append(
            String.format(
                Locale.ROOT,
                "%-28s %-18s %8s s%n",
                load.name(),
                way.name(),
                roundedSeconds(figures)));
      }
      report.result(load.name(), byWay);
    }
    System.err.printf("processor seconds per minute:%n%s", table);
    report.finish();
    ProgramOptions.delete(root);
    return 0;
  }

  private static String roundedSeconds(Map<String, Object> figures) {
    return figures.get(CPU_PER_MINUTE) instanceof Double seconds
        ? String.format(Locale.ROOT, "%.3f", seconds)
        : "?";
  }

  private Map<String, Object> measure(Way way, Path root, WriteLoad load, int measuredSeconds)
      throws IOException, InterruptedException {
    try (DirectoryWatch watch =
        DirectoryWatch.open(calls, List.of(PosixPath.of(root)), way.options(), System::nanoTime)) {
      WatchThread watching = new WatchThread(watch);
      try (WriteLoad.Writing writing = load.start()) {
        Thread.sleep(Duration.ofSeconds(SETTLE_SECONDS));
        watching.begin();
        long writesBefore = writing.count();
        long beganNanos = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(measuredSeconds));
        double elapsedSeconds = (System.nanoTime() - beganNanos) / 1e9;
        Map<String, Object> figures = watching.figures(elapsedSeconds);
        figures.put("writesPerSecond", (writing.count() - writesBefore) / elapsedSeconds);
        return figures;
      } finally {
        watching.stop();
      }
    }
  }

  private String command() {
    return String.format(
        Locale.ROOT,
        "bench watch --files %d --seconds %d --latency %d",
        files,
        seconds,
        latencyMillis);
  }
}
