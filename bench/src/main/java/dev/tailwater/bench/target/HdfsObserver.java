package dev.tailwater.bench.target;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sees segments appear in HDFS: the NameNode tells of each rename with its own clock, in
 * milliseconds, so that how often it is asked does not matter.
 */
final class HdfsObserver implements SegmentObserver {
  private static final long ASK_EVERY_MILLIS = 50;

  private final ClusterChild cluster;
  private final Listener listener;
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "observer");
  private volatile boolean closed;

  HdfsObserver(ClusterChild cluster, Listener listener) {
    this.cluster = cluster;
    this.listener = listener;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        for (String line : cluster.tell("renames")) {
          see(line.split(" ", 2));
        }
        TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
      }
    } catch (IOException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@code MILLIS PATH}. */
  private void see(String[] rename) {
    Optional<SegmentName> segment = SegmentName.of(Path.of(rename[1]));
    if (segment.isPresent()) {
      long ageMillis = System.currentTimeMillis() - Long.parseLong(rename[0]);
      long nanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(ageMillis);
      listener.segment(segment.get().fileName(), segment.get().endBytes(), false, nanos);
      listener.segment(segment.get().fileName(), segment.get().endBytes(), true, nanos);
    }
  }

  @Override
  public void requireHealthy() throws IOException {
    if (failure.get() != null) {
      throw new IOException("observing failed", failure.get());
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
