package dev.tailwater.lab.change;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread that only listens to the JDK's WatchService, and the thread of the service itself. After
 * an overflow it is unknown what has changed in a directory, so this class checks all of the
 * directory's files.
 */
final class ServiceWatcher implements Watcher {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final WatchedTree tree;
  private final SightLog log;
  private final WatchService service;
  private final Set<Long> ofService;
  private final Thread thread;
  private final AtomicLong overflows = new AtomicLong();
  private volatile Optional<IOException> failure = Optional.empty();

  ServiceWatcher(WatchedTree tree) throws IOException {
    this.tree = tree;
    this.log = new SightLog(tree.count());
    Set<Long> before = all();
    this.service = FileSystems.getDefault().newWatchService();
    try {
      for (Path directory : tree.directories()) {
        directory.register(
            service,
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_DELETE,
            StandardWatchEventKinds.ENTRY_MODIFY);
      }
    } catch (IOException e) {
      service.close();
      throw e;
    }
    Set<Long> after = all();
    after.removeAll(before);
    this.ofService = Set.copyOf(after);
    this.thread = Thread.ofPlatform().name("watch-service").start(this::run);
  }

  private Set<Long> all() {
    Set<Long> all = new HashSet<>();
    Arrays.stream(threads.getAllThreadIds()).forEach(all::add);
    return all;
  }

  private void run() {
    try {
      while (true) {
        WatchKey key = service.take();
        Path directory = (Path) key.watchable();
        Map<Path, Integer> names = tree.names(directory);
        for (WatchEvent<?> event : key.pollEvents()) {
          see(directory, names, event);
        }
        key.reset();
      }
    } catch (ClosedWatchServiceException _) {
      // The watcher is being closed.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  private void see(Path directory, Map<Path, Integer> names, WatchEvent<?> event)
      throws IOException {
    long nowNanos = System.nanoTime();
    if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
      overflows.incrementAndGet();
      for (Map.Entry<Path, Integer> file : names.entrySet()) {
        Files.getLastModifiedTime(directory.resolve(file.getKey()));
        log.seen(file.getValue(), nowNanos);
      }
      return;
    }
    Integer file = names.get((Path) event.context());
    if (file != null) {
      log.seen(file, nowNanos);
    }
  }

  @Override
  public SightLog log() {
    return log;
  }

  @Override
  public long processorNanos() {
    long nanos = Math.max(0, threads.getThreadCpuTime(thread.threadId()));
    for (long id : ofService) {
      nanos += Math.max(0, threads.getThreadCpuTime(id));
    }
    return nanos;
  }

  /** Returns the number of threads of the service. */
  int threadsOfService() {
    return ofService.size();
  }

  @Override
  public long overflows() {
    return overflows.get();
  }

  @Override
  public boolean isAsAsked() {
    return true;
  }

  @Override
  public void close() throws IOException {
    service.close();
    Joining.join(thread);
    Optional<IOException> failed = failure;
    if (failed.isPresent()) {
      throw failed.get();
    }
  }
}
