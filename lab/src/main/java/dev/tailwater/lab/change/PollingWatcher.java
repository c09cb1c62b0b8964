package dev.tailwater.lab.change;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A thread that polls each file once a second, as in the article. The polls are spread evenly over
 * the second, in an order of their own, so that they do not run in step with the writes. It does
 * not find new files, so real polling costs more.
 */
final class PollingWatcher implements Watcher {
  private static final int SLICES_PER_SECOND = 20;
  private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1) / SLICES_PER_SECOND;

  private final FileCalls calls;
  private final SightLog log;
  private final List<PosixPath> paths = new ArrayList<>();
  private final List<Integer> order = new ArrayList<>();
  private final long[] modifiedNanos;
  private final long[] sizesBytes;
  private final Thread thread;
  private volatile Optional<IOException> failure = Optional.empty();
  private volatile boolean stopped;

  PollingWatcher(FileCalls calls, WatchedTree tree) throws IOException {
    this.calls = calls;
    this.log = new SightLog(tree.count());
    this.modifiedNanos = new long[tree.count()];
    this.sizesBytes = new long[tree.count()];
    for (int file = 0; file < tree.count(); file++) {
      paths.add(PosixPath.of(tree.file(file)));
      order.add(file);
      hasChanged(file);
    }
    Collections.shuffle(order, new Random(1));
    this.thread = Thread.ofPlatform().name("polling").start(this::run);
  }

  private void run() {
    long startNanos = System.nanoTime();
    try {
      for (long slice = 0; !stopped; slice++) {
        int part = (int) (slice % SLICES_PER_SECOND);
        int from = (int) ((long) order.size() * part / SLICES_PER_SECOND);
        int to = (int) ((long) order.size() * (part + 1) / SLICES_PER_SECOND);
        for (int file : order.subList(from, to)) {
          if (hasChanged(file)) {
            log.seen(file, System.nanoTime());
          }
        }
        long dueNanos = startNanos + (slice + 1) * SLICE_NANOS;
        TimeUnit.NANOSECONDS.sleep(Math.max(0, dueNanos - System.nanoTime()));
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasChanged(int file) throws IOException {
    FileStatus status = calls.statx(FileCalls.AT_FDCWD, paths.get(file), Set.of());
    boolean changed =
        status.modificationTimeNanos() != modifiedNanos[file]
            || status.sizeBytes() != sizesBytes[file];
    modifiedNanos[file] = status.modificationTimeNanos();
    sizesBytes[file] = status.sizeBytes();
    return changed;
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
    return 0;
  }

  @Override
  public boolean isAsAsked() {
    return true;
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    Joining.join(thread);
    Optional<IOException> failed = failure;
    if (failed.isPresent()) {
      throw failed.get();
    }
  }
}
