package dev.tailwater.lab.change;

import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A trial in which some methods watch while files are written: one after the other, or all at once,
 * so that each sees the same writes. Processor time is that of the method's own threads.
 */
final class ChangeTrial {
  private final FileCalls calls;
  private final WatchedTree tree;
  private final Map<ChangeWay, String> refused = new LinkedHashMap<>();

  ChangeTrial(FileCalls calls, WatchedTree tree) {
    this.calls = calls;
    this.tree = tree;
  }

  /**
   * The windows of time.
   *
   * @param settle the time before anything counts, in which ticks find their length
   * @param length of a window
   * @param windows one after the other, each of which gives one sample
   */
  record Windows(Duration settle, Duration length, int windows) {}

  /**
   * Measures the methods of watching.
   *
   * @return for each method the quantities of each window; none for a method that is not available
   */
  Map<ChangeWay, List<double[]>> run(List<ChangeWay> ways, WriteLoad load, Windows windows)
      throws IOException, InterruptedException {
    Map<ChangeWay, List<double[]>> measured = new LinkedHashMap<>();
    try (Watchers watchers = Watchers.open(ways, calls, tree)) {
      refused.putAll(watchers.refused());
      try (WriteLoad.Writing writing = load.start(watchers.logs())) {
        Thread.sleep(windows.settle());
        for (int window = 0; window < windows.windows(); window++) {
          window(watchers, writing, windows.length())
              .forEach(
                  (way, values) ->
                      measured.computeIfAbsent(way, _ -> new ArrayList<>()).add(values));
        }
      }
    }
    return measured;
  }

  /** Returns the methods that could not be used, and why. */
  Map<ChangeWay, String> refused() {
    return Map.copyOf(refused);
  }

  private static Map<ChangeWay, double[]> window(
      Watchers watchers, WriteLoad.Writing writing, Duration length) throws InterruptedException {
    Map<ChangeWay, Long> processorBefore = new LinkedHashMap<>();
    Map<ChangeWay, Long> overflowsBefore = new LinkedHashMap<>();
    long writesBefore = writing.count();
    long beganNanos = System.nanoTime();
    watchers
        .all()
        .forEach(
            (way, watcher) -> {
              watcher.log().begin();
              processorBefore.put(way, watcher.processorNanos());
              overflowsBefore.put(way, watcher.overflows());
            });
    Thread.sleep(length);
    double nanos = System.nanoTime() - beganNanos;
    double writesPerSecond = (writing.count() - writesBefore) * 1e9 / nanos;
    Map<ChangeWay, double[]> values = new LinkedHashMap<>();
    watchers
        .all()
        .forEach(
            (way, watcher) -> {
              long processor =
                  watcher.processorNanos() - Objects.requireNonNull(processorBefore.get(way));
              long overflows =
                  watcher.overflows() - Objects.requireNonNull(overflowsBefore.get(way));
              values.put(
                  way,
                  new double[] {
                    100 * processor / nanos,
                    watcher.log().latencyMillis(0.5),
                    watcher.log().latencyMillis(0.99),
                    watcher.log().count() * 1e9 / nanos,
                    writesPerSecond,
                    overflows * 1e9 / nanos
                  });
            });
    return values;
  }
}
