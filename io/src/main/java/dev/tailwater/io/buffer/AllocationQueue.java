package dev.tailwater.io.buffer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who gets memory, and when: the {@linkplain PoolAccounting books} behind a lock, and a line of
 * those who wait, served strictly in their order. No system call is made under the lock.
 * Thread-safe, for platform and virtual threads.
 */
final class AllocationQueue {
  /** How often those who wait look for leaked buffers. */
  private static final long LEAK_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final long boundBytes;
  private final Runnable reclaimLeaked;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final PoolAccounting accounting;

  @GuardedBy("lock")
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private long waits;

  @GuardedBy("lock")
  private long refusals;

  @GuardedBy("lock")
  private long leaks;

  /** A thread that waits. Guarded by the lock of the line. */
  private static final class Waiter {
    private final long sizeBytes;
    private final Condition served;
    private Optional<Grant> grant = Optional.empty();

    Waiter(long sizeBytes, Condition served) {
      this.sizeBytes = sizeBytes;
      this.served = served;
    }
  }

  /**
   * @param reclaimLeaked run now and then by those who ask; {@linkplain #giveBack gives back} what
   *     nobody can release any more
   */
  AllocationQueue(long boundBytes, Runnable reclaimLeaked) {
    this.boundBytes = boundBytes;
    this.reclaimLeaked = reclaimLeaked;
    this.accounting = new PoolAccounting(boundBytes);
  }

  /**
   * A grant of this size class; empty when there was none in time.
   *
   * @param timeoutNanos 0 is not to wait
   * @throws IllegalStateException when it is closed, also meanwhile
   */
  Optional<Grant> request(long sizeBytes, long timeoutNanos) throws InterruptedException {
    lock.lock();
    try {
      requireOpen();
      reclaimLeaked.run();
      Optional<Grant> grant = waiters.isEmpty() ? accounting.grant(sizeBytes) : Optional.empty();
      if (grant.isEmpty() && timeoutNanos > 0) {
        grant = await(sizeBytes, timeoutNanos);
      }
      if (grant.isEmpty()) {
        refusals++;
      }
      return grant;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Optional<Grant> await(long sizeBytes, long timeoutNanos) throws InterruptedException {
    Waiter waiter = new Waiter(sizeBytes, lock.newCondition());
    waiters.addLast(waiter);
    waits++;
    long leftNanos = timeoutNanos;
    try {
      while (waiter.grant.isEmpty() && leftNanos > 0) {
        long sliceNanos = Math.min(leftNanos, LEAK_CHECK_NANOS);
        leftNanos -= sliceNanos - waiter.served.awaitNanos(sliceNanos);
        if (waiter.grant.isEmpty()) {
          requireOpen();
          reclaimLeaked.run();
        }
      }
    } catch (InterruptedException e) {
      if (waiter.grant.isEmpty()) {
        throw e;
      }
      Thread.currentThread().interrupt(); // too late: what was granted must not get lost
    } finally {
      if (waiter.grant.isEmpty() && waiters.remove(waiter)) {
        serveWaiters(); // those behind may fit where this one did not
      }
    }
    return waiter.grant;
  }

  @GuardedBy("lock")
  private void serveWaiters() {
    while (!waiters.isEmpty()) {
      Waiter first = waiters.getFirst();
      first.grant = accounting.grant(first.sizeBytes);
      if (first.grant.isEmpty()) {
        return;
      }
      first.served.signal();
      waiters.removeFirst();
    }
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the buffer pool is closed: no more buffers");
    }
  }

  /** A buffer is free again; false when the pool is closed, and the memory is the caller's. */
  boolean giveBack(MemorySegment memory) {
    lock.lock();
    try {
      if (!closed) {
        accounting.giveBack(memory);
        serveWaiters();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** So many bytes were unmapped, or not mapped after all. */
  void unreserve(long bytes) {
    lock.lock();
    try {
      accounting.unreserve(bytes);
      serveWaiters();
    } finally {
      lock.unlock();
    }
  }

  /** A buffer that was given back had been leaked. */
  void countLeak() {
    lock.lock();
    try {
      leaks++;
    } finally {
      lock.unlock();
    }
  }

  /** Those who wait fail; returns what is free, to be unmapped. Again: nothing. */
  List<MemorySegment> close() {
    lock.lock();
    try {
      closed = true;
      waiters.forEach(waiter -> waiter.served.signal());
      waiters.clear();
      return accounting.takeAllFree();
    } finally {
      lock.unlock();
    }
  }

  BufferPoolStatistics statistics() {
    lock.lock();
    try {
      return new BufferPoolStatistics(
          boundBytes,
          accounting.heldBytes(),
          accounting.freeBytes(),
          accounting.peakBytes(),
          accounting.reuses(),
          accounting.mappings(),
          accounting.evictions(),
          waits,
          refusals,
          leaks,
          waiters.size());
    } finally {
      lock.unlock();
    }
  }
}
