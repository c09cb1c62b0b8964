package dev.tailwater.lab.change;

import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.NotificationMethod;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.io.watch.WatchStatistics;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;

/** A thread that only listens to a {@link DirectoryWatch}. */
final class DirectoryWatcher implements Watcher {
  private final WatchedTree tree;
  private final NotificationMethod asked;
  private final SightLog log;
  private final DirectoryWatch watch;
  private final Optional<String> degraded;
  private final Thread thread;
  private volatile WatchStatistics statistics;
  private volatile Optional<IOException> failure = Optional.empty();
  private volatile boolean stopped;

  DirectoryWatcher(FileCalls calls, WatchedTree tree, WatchOptions options) throws IOException {
    this.tree = tree;
    this.asked = options.notification();
    this.log = new SightLog(tree.count());
    this.watch =
        DirectoryWatch.open(calls, List.of(PosixPath.of(tree.root())), options, System::nanoTime);
    try {
      this.degraded =
          watch.scan().stream() // what is there already
              .filter(WatchChange.Degraded.class::isInstance)
              .map(change -> reason((WatchChange.Degraded) change))
              .findFirst();
    } catch (IOException e) {
      watch.close();
      throw e;
    }
    this.statistics = watch.statistics();
    this.thread = Thread.ofPlatform().name("watch").start(this::run);
  }

  /** Returns the message without the path, since reports contain no paths. */
  private static String reason(WatchChange.Degraded degraded) {
    Errno errno = degraded.why().errno();
    return switch (errno) {
      case ENOSPC -> "the limit of inotify watches is reached";
      case EMFILE -> "no inotify instance (or no descriptor) is left";
      default -> "the kernel tells nothing of changes here, " + errno;
    };
  }

  private void run() {
    try {
      while (!stopped) {
        List<WatchChange> found = watch.poll(-1);
        long nowNanos = System.nanoTime();
        for (WatchChange change : found) {
          int file = tree.number(change.path());
          if (file >= 0) {
            log.seen(file, nowNanos);
          }
        }
        statistics = watch.statistics();
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  @Override
  public SightLog log() {
    return log;
  }

  @Override
  public long processorNanos() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
  }

  @Override
  public long overflows() {
    return statistics.overflows();
  }

  @Override
  public boolean isAsAsked() {
    WatchStatistics now = statistics;
    return switch (asked) {
      case INOTIFY -> now.inotifyDirectories() == now.directories();
      case FANOTIFY -> now.fanotifyDirectories() == now.directories();
      case POLLING, AUTOMATIC -> true;
    };
  }

  @Override
  public Optional<String> whyNotAsAsked() {
    return degraded;
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    watch.wake();
    Joining.join(thread);
    watch.close();
    Optional<IOException> failed = failure;
    if (failed.isPresent()) {
      throw failed.get();
    }
  }
}
