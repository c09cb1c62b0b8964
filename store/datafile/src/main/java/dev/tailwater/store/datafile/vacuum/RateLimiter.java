package dev.tailwater.store.datafile.vacuum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A limiter of the rate of work, which can be stopped at once. One thread at a time works; any
 * thread may stop it.
 */
final class RateLimiter {
  /** The current rate. */
  @FunctionalInterface
  interface Rate {
    double bytesPerSecond();
  }

  private static final long STEP_BYTES = 64 * 1024;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Unused time is credited up to this. */
  private static final long MAX_CREDIT_NANOS = 50_000_000;

  private final Rate rate;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stops = lock.newCondition();
  private long gatheredBytes;

  @GuardedBy("lock")
  private long freeAtNanos = System.nanoTime();

  private volatile boolean stopped;

  RateLimiter(Rate rate) {
    this.rate = rate;
  }

  /** Waits until this much work fits the rate; small amounts are accumulated. */
  void spend(long bytes) throws VacuumStoppedException {
    gatheredBytes += bytes;
    if (gatheredBytes >= STEP_BYTES) {
      long gathered = gatheredBytes;
      gatheredBytes = 0;
      await(gathered);
    }
  }

  private void await(long bytes) throws VacuumStoppedException {
    lock.lock();
    try {
      long now = System.nanoTime();
      if (now - freeAtNanos > MAX_CREDIT_NANOS) {
        freeAtNanos = now - MAX_CREDIT_NANOS;
      }
      freeAtNanos += (long) (bytes / rate.bytesPerSecond() * NANOS_PER_SECOND);
      while (!stopped && freeAtNanos - System.nanoTime() > 0) {
        stops.awaitNanos(freeAtNanos - System.nanoTime());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new VacuumStoppedException();
    } finally {
      lock.unlock();
    }
    check();
  }

  /** Throws when it has been stopped. */
  void check() throws VacuumStoppedException {
    if (stopped) {
      throw new VacuumStoppedException();
    }
  }

  boolean isStopped() {
    return stopped;
  }

  void stop() {
    lock.lock();
    try {
      stopped = true;
      stops.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
