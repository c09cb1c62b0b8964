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
 * The queue of requests for memory: the {@linkplain PoolAccounting accounting} behind a lock, and
 * the threads that wait, served strictly in their order. Makes no system call while it holds the
 * lock. Thread-safe, for platform and virtual threads.
 */
final class AllocationQueue {
  /** How often waiting threads look for leaked buffers. */
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

  /** A waiting thread. Guarded by the lock of the queue. */
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
   * @param reclaimLeaked {@linkplain #giveBack gives back} leaked buffers; run from time to time by
   *     threads that request memory
   */
  AllocationQueue(long boundBytes, Runnable reclaimLeaked) {
    this.boundBytes = boundBytes;
    this.reclaimLeaked = reclaimLeaked;
    this.accounting = new PoolAccounting(boundBytes);
  }

  /**
   * Returns a grant of this size class; empty if there was none in time.
   *
   * @param timeoutNanos 0 to return at once
   * @throws IllegalStateException if the queue is closed, also during the wait
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
      Thread.currentThread().interrupt(); // too late: the grant must not get lost
    } finally {
      if (waiter.grant.isEmpty() && waiters.remove(waiter)) {
        serveWaiters(); // smaller requests behind it may fit
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

  /** Takes back a free buffer; returns false if the pool is closed and the caller must unmap it. */
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

  /** Ends the reservation of bytes that were unmapped, or not mapped after all. */
  void unreserve(long bytes) {
    lock.lock();
    try {
      accounting.unreserve(bytes);
      serveWaiters();
    } finally {
      lock.unlock();
    }
  }

  /** Counts a leaked buffer. */
  void countLeak() {
    lock.lock();
    try {
      leaks++;
    } finally {
      lock.unlock();
    }
  }

  /** Makes all waiting threads fail; returns the free buffers, which the caller unmaps. */
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
