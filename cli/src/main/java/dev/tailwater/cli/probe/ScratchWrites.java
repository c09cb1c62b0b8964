package dev.tailwater.cli.probe;

import dev.tailwater.destination.ObjectKeys;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The writes to a scratch folder: which objects may be there, how many puts succeeded, and whether
 * anything more may be written. Thread-safe.
 */
final class ScratchWrites {
  private static final long PUTS_UNDER_WAY_SECONDS = 20;

  /** The keys at the destination. */
  private final ConcurrentSkipListSet<String> keys = new ConcurrentSkipListSet<>(ObjectKeys.ORDER);

  /** Read: a put is under way. Write: none is, and none begins. */
  private final ReentrantReadWriteLock puts = new ReentrantReadWriteLock();

  private final AtomicLong objects = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean stopped;
  private volatile boolean unfinished;

  /**
   * Begins something that may write. Each call that returns is followed by one of {@link #end}.
   *
   * @throws StoppedException nothing more may be written
   */
  void begin() {
    puts.readLock().lock();
    if (stopped) {
      puts.readLock().unlock();
      throw new StoppedException();
    }
  }

  /** Begins a put as {@link #begin} does; returns whether the key is new. */
  boolean beginPut(String place, String key) {
    begin();
    String whole = place + "/" + key;
    // An illegal one is refused, and could not be removed either.
    return ObjectKeys.problem(key).isEmpty()
        && ObjectKeys.problem(whole).isEmpty()
        && keys.add(whole);
  }

  /** A put has succeeded. */
  void written(long lengthBytes) {
    objects.incrementAndGet();
    bytes.addAndGet(lengthBytes);
  }

  void end() {
    puts.readLock().unlock();
  }

  /** There is no such object, or not any more. */
  void forget(String place, String key) {
    keys.remove(place + "/" + key);
  }

  /** Throws {@link StoppedException} after {@link #stop}. */
  void requireGoing() {
    if (stopped) {
      throw new StoppedException();
    }
  }

  /** The keys of all objects that may be there; those that are removed are taken out. */
  Set<String> keys() {
    return keys;
  }

  /** How many puts succeeded. */
  long puts() {
    return objects.get();
  }

  /** How many bytes they had. */
  long bytes() {
    return bytes.get();
  }

  /** Whether a put was still under way when {@link #stop} gave up waiting. */
  boolean isUnfinished() {
    return unfinished;
  }

  /** Lets nothing more be written, and waits for a limited time for what is being written. */
  void stop() {
    stopped = true;
    try {
      if (puts.writeLock().tryLock(PUTS_UNDER_WAY_SECONDS, TimeUnit.SECONDS)) {
        puts.writeLock().unlock();
      } else {
        unfinished = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
