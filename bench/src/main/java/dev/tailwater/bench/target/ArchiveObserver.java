package dev.tailwater.bench.target;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Sees segments appear in a directory destination, or in the directory of a server, by inotify. A
 * name that is seen need not be on the disk yet, so in a directory destination a segment counts as
 * durable when an fsync of its directory has returned that began after its name was seen: later
 * than its agent knows, by about one fsync. At a server it is durable when it has its name: earlier
 * than its agent knows, by the way of the answer.
 */
final class ArchiveObserver implements SegmentObserver {
  private static final int SYNC_THREADS = 4;

  private final Listener listener;
  private final boolean syncing;
  private final WatchService watch = FileSystems.getDefault().newWatchService();
  private final Map<WatchKey, Path> directories = new HashMap<>();
  private final Set<Path> seen = new HashSet<>();
  private final ExecutorService syncs = Executors.newFixedThreadPool(SYNC_THREADS);
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "observer");

  /**
   * @param syncing whether an fsync makes names durable; else they are when they are seen
   */
  ArchiveObserver(Path archive, boolean syncing, Listener listener) throws IOException {
    this.listener = listener;
    this.syncing = syncing;
    add(archive);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void requireHealthy() throws IOException {
    if (failure.get() != null) {
      throw new IOException("observing failed", failure.get());
    }
  }

  private void run() {
    try {
      while (true) {
        WatchKey key = watch.take();
        long nowNanos = System.nanoTime();
        Path directory = directories.get(key);
        for (WatchEvent<?> event : key.pollEvents()) {
          if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
            throw new IOException("the queue of notifications overflowed");
          }
          if (directory != null && event.context() instanceof Path name) {
            see(directory, name, nowNanos);
          }
        }
        key.reset();
      }
    } catch (IOException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Watches the directory and all below it; what is there already is seen now. */
  private void add(Path directory) throws IOException {
    if (directory.getFileName().toString().startsWith(".")) {
      return; // Temporary files.
    }
    directories.put(directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE), directory);
    List<Path> present;
    try (Stream<Path> entries = Files.list(directory)) {
      present = entries.toList();
    }
    for (Path path : present) {
      see(directory, directory.relativize(path), System.nanoTime());
    }
  }

  private void see(Path directory, Path name, long nowNanos) throws IOException {
    Path path = directory.resolve(name);
    if (!seen.add(path)) {
      return;
    }
    Optional<SegmentName> segment = SegmentName.of(path);
    if (segment.isPresent()) {
      String fileName = segment.get().fileName();
      long endBytes = segment.get().endBytes();
      listener.segment(fileName, endBytes, false, nowNanos);
      if (syncing) {
        syncs.execute(() -> sync(directory, fileName, endBytes));
      } else {
        listener.segment(fileName, endBytes, true, nowNanos);
      }
    } else if (Files.isDirectory(path)) {
      add(path);
    }
  }

  private void sync(Path directory, String fileName, long endBytes) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
      listener.segment(fileName, endBytes, true, System.nanoTime());
    } catch (IOException e) {
      failure.set(e);
    }
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    syncs.shutdown();
    try {
      thread.join();
      if (!syncs.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IOException("an fsync does not return");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watch.close();
    }
  }
}
