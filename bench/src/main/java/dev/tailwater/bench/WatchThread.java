package dev.tailwater.bench;

import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchStatistics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A thread that does nothing but listen to a watch, and what it costs. */
final class WatchThread {
  private final DirectoryWatch watch;
  private final AtomicLong changes = new AtomicLong();
  private volatile WatchStatistics statistics;
  private volatile Optional<IOException> failure = Optional.empty();
  private final Thread thread;
  private volatile boolean stopped;

  private long processorNanosBefore;
  private long changesBefore;
  private WatchStatistics before;

  WatchThread(DirectoryWatch watch) throws IOException {
    this.watch = watch;
    watch.poll(0);
    this.before = watch.statistics();
    this.statistics = before;
    this.thread = Thread.ofPlatform().name("watch").start(this::run);
  }

  private void run() {
    try {
      while (!stopped) {
        List<WatchChange> found = watch.poll(-1);
        changes.addAndGet(found.size());
        statistics = watch.statistics();
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  private long processorNanos() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
  }

  /** From now on it counts. */
  void begin() {
    processorNanosBefore = processorNanos();
    changesBefore = changes.get();
    before = statistics;
  }

  /** What it took and did since {@link #begin}. */
  Map<String, Object> figures(double elapsedSeconds) {
    double processorSeconds = (processorNanos() - processorNanosBefore) / 1e9;
    WatchStatistics after = statistics;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put(WatchBenchmark.CPU_PER_MINUTE, 60 * processorSeconds / elapsedSeconds);
    figures.put("changesPerSecond", (changes.get() - changesBefore) / elapsedSeconds);
    figures.put("eventsPerSecond", (after.events() - before.events()) / elapsedSeconds);
    figures.put("overflows", after.overflows() - before.overflows());
    figures.put("hotDirectories", after.hotDirectories());
    figures.put("tickMillis", after.tickMillis());
    return figures;
  }

  /** Ends the thread; throws what ended it before. */
  void stop() throws IOException, InterruptedException {
    stopped = true;
    watch.wake();
    thread.join();
    Optional<IOException> failed = failure;
    if (failed.isPresent()) {
      throw failed.get();
    }
  }
}
