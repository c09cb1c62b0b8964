package dev.tailwater.lab.destination;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.retry.Backoff;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A new folder at a destination. It records what was put there and removes it, even while the
 * process is being stopped. Thread-safe.
 */
final class DestinationScratch implements AutoCloseable {
  private static final int TRIES = 3;

  /** As the agent waits before it tries again. */
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

  private static final int REMOVED_AT_ONCE = 8;
  private static final long PUTS_UNDER_WAY_SECONDS = 20;

  private final Destination destination;
  private final String folder;
  private final AtomicLong next = new AtomicLong();
  private final Set<String> written = new ConcurrentSkipListSet<>();

  /**
   * Each put holds the read lock, so the write lock can be taken only when no put is in progress.
   */
  private final ReentrantReadWriteLock puts = new ReentrantReadWriteLock();

  private volatile boolean stopped;

  /**
   * Creates a folder below the destination.
   *
   * @param folder a legal key without a slash at its end
   */
  DestinationScratch(Destination destination, String folder) {
    this.destination = destination;
    this.folder = folder;
  }

  /** Puts a segment under a new key; repeats the put after a transient failure, as ship does. */
  void put(ByteBuffer content) throws DestinationException {
    puts.readLock().lock();
    try {
      if (stopped) {
        throw new IllegalStateException("the lab is being stopped");
      }
      String key = folder + "/segment-" + next.getAndIncrement();
      written.add(key);
      for (int attempt = 1; ; attempt++) {
        try {
          PutResult _ = destination.putSegment(key, content);
          return;
        } catch (TransientDestinationException e) {
          if (attempt == TRIES) {
            throw e;
          }
          pause(attempt, e);
        }
      }
    } finally {
      puts.readLock().unlock();
    }
  }

  private static void pause(int failures, TransientDestinationException reason)
      throws TransientDestinationException {
    try {
      Thread.sleep(PAUSES.waitMillis(failures, ThreadLocalRandom.current()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw reason;
    }
  }

  /**
   * Removes what was put so far, several objects at the same time. A later call retries what could
   * not be removed.
   */
  synchronized void clean() throws DestinationException {
    List<Future<?>> removals = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(REMOVED_AT_ONCE)) {
      for (String key : List.copyOf(written)) {
        removals.add(
            threads.submit(
                () -> {
                  destination.delete(key);
                  written.remove(key);
                  return key;
                }));
      }
    }
    for (Future<?> removal : removals) {
      if (removal.state() == Future.State.FAILED) {
        if (removal.exceptionNow() instanceof DestinationException failure) {
          throw failure;
        }
        throw new IllegalStateException("a segment was not removed", removal.exceptionNow());
      }
    }
  }

  /**
   * Prevents further puts, waits a limited time for those in progress, and removes everything. An
   * object whose put ends after that wait may stay. May be called again.
   */
  @Override
  public void close() throws DestinationException {
    stopped = true;
    // Clean up even though this thread is interrupted.
    boolean wasInterrupted = Thread.interrupted();
    try {
      if (puts.writeLock().tryLock(PUTS_UNDER_WAY_SECONDS, TimeUnit.SECONDS)) {
        puts.writeLock().unlock();
      }
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    try {
      clean();
      destination.removeEmptyFolders(folder);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
