package dev.tailwater.io.buffer;

import dev.tailwater.io.PageSize;
import dev.tailwater.posix.AnonymousMemoryCalls;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxAnonymousMemoryCalls;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A bounded pool of native buffers of any size. The pool reuses released memory, and returns it to
 * the kernel only to make room for other sizes, or in {@link #close}.
 *
 * <pre>{@code
 * try (BufferPool pool = BufferPool.ofBound(64 << 20);
 *     PooledBuffer buffer = pool.acquire("sealer-1", 10 << 20)) {
 *   int count = calls.pread(fd, buffer.segment(), 0);
 * }
 * }</pre>
 *
 * <p>The bound covers native memory, free and in use together, and holds at every moment. Sizes are
 * rounded up to whole pages and to four steps in each doubling. Waiting threads are served in the
 * order of their requests, even if a later, smaller request would fit, so that no thread starves.
 *
 * <p>The memory comes from mmap(2) and not from a shared {@link Arena}: to close one, the JVM makes
 * a handshake with all threads, which takes 200 ms if sixteen threads compute on two processors.
 * Each loan has a confined arena of its own, which closes without a handshake. See {@link
 * PooledBuffer}.
 *
 * <p>If a buffer is never released, the pool takes it back once the garbage collector has found
 * that nothing refers to it. The pool counts such leaks, and {@link #close} reports them.
 *
 * <p>Thread-safe, for platform and virtual threads; a waiting virtual thread holds no carrier.
 * Acquiring and releasing a free buffer takes a fraction of a microsecond and no system call.
 */
public final class BufferPool implements AutoCloseable {
  private final AnonymousMemoryCalls calls;
  private final BufferPoolOptions options;
  private final SizeClasses sizes;
  private final AllocationQueue queue;
  private final Leases leases;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates a pool.
   *
   * @param calls the source of memory; {@link LinuxAnonymousMemoryCalls#create()}
   * @param options the bound and the checks
   */
  public BufferPool(AnonymousMemoryCalls calls, BufferPoolOptions options) {
    this(calls, options, System::nanoTime);
  }

  /** Creates a pool with a clock, which only measures how long buffers are held. */
  BufferPool(AnonymousMemoryCalls calls, BufferPoolOptions options, LongSupplier nanoTime) {
    this.calls = calls;
    this.options = options;
    this.sizes = new SizeClasses(options.boundBytes(), PageSize.bytes());
    this.queue = new AllocationQueue(options.boundBytes(), this::reclaimLeaked);
    this.leases = new Leases(calls, options, nanoTime, this::giveBack);
  }

  /** Creates a pool for production; see {@link BufferPoolOptions#ofBound}. */
  public static BufferPool ofBound(long boundBytes) {
    return new BufferPool(
        LinuxAnonymousMemoryCalls.create(), BufferPoolOptions.ofBound(boundBytes));
  }

  /**
   * Acquires a buffer and waits as long as necessary.
   *
   * @param holder a name of the user of the buffer, shown if the pool is exhausted
   * @param sizeBytes at least 1, at most the bound (rounded down to whole pages)
   * @throws IllegalArgumentException when the size can never be had
   * @throws IllegalStateException when the pool is closed, also while this waits
   * @throws BufferPoolExhaustedException when the kernel has no memory
   * @throws InterruptedException when interrupted while it waits
   */
  public PooledBuffer acquire(String holder, long sizeBytes) throws InterruptedException {
    return take(holder, sizeBytes, Long.MAX_VALUE).orElseThrow();
  }

  /**
   * As {@link #acquire(String, long)}, with a time-out.
   *
   * @param timeoutMillis 0 or more; 0 does not wait
   * @throws BufferPoolExhaustedException if there was none in time; the message says who holds what
   */
  public PooledBuffer acquire(String holder, long sizeBytes, long timeoutMillis)
      throws InterruptedException {
    if (timeoutMillis < 0) {
      throw new IllegalArgumentException("a time-out of " + timeoutMillis + " ms");
    }
    return take(holder, sizeBytes, TimeUnit.MILLISECONDS.toNanos(timeoutMillis))
        .orElseThrow(() -> exhausted(holder, sizeBytes, timeoutMillis));
  }

  /**
   * As {@link #acquire(String, long)}, without waiting; returns empty if there is none, or if other
   * threads are waiting.
   */
  public Optional<PooledBuffer> tryAcquire(String holder, long sizeBytes) {
    try {
      return take(holder, sizeBytes, 0);
    } catch (InterruptedException e) {
      throw new AssertionError("what does not wait is not interrupted", e);
    }
  }

  private Optional<PooledBuffer> take(String holder, long sizeBytes, long timeoutNanos)
      throws InterruptedException {
    if (sizeBytes < 1 || sizeBytes > sizes.largestBytes()) {
      throw new IllegalArgumentException(
          "a buffer of %s for '%s' from a pool of %s: 1 to %d bytes can be had"
              .formatted(
                  HolderReport.size(sizeBytes),
                  holder,
                  HolderReport.size(options.boundBytes()),
                  sizes.largestBytes()));
    }
    Optional<Grant> grant = queue.request(sizes.roundUp(sizeBytes), timeoutNanos);
    if (grant.isEmpty()) {
      return Optional.empty();
    }
    MemorySegment memory =
        switch (grant.get()) {
          case Grant.Reuse reuse -> reuse.memory();
          case Grant.Map map -> map(map, holder);
        };
    return Optional.of(PooledBuffer.lend(leases, memory, sizeBytes, holder));
  }

  /** Unmaps evicted memory, then maps new memory: in this order, and without the lock. */
  private MemorySegment map(Grant.Map grant, String holder) {
    List<MemorySegment> evicted = new ArrayList<>(grant.evicted());
    long reservedBytes = grant.reservedBytes();
    try {
      while (!evicted.isEmpty()) {
        calls.unmap(evicted.getLast());
        reservedBytes += evicted.removeLast().byteSize();
      }
      if (reservedBytes > grant.sizeBytes()) {
        queue.unreserve(reservedBytes - grant.sizeBytes());
        reservedBytes = grant.sizeBytes();
      }
      return calls.mapAnonymous(grant.sizeBytes());
    } catch (ErrnoException e) {
      evicted.forEach(this::giveBack);
      queue.unreserve(reservedBytes);
      throw refused(grant.sizeBytes(), holder, e);
    }
  }

  private void giveBack(MemorySegment memory) {
    if (!queue.giveBack(memory)) {
      unmap(memory);
    }
  }

  private void unmap(MemorySegment memory) {
    try {
      calls.unmap(memory);
    } catch (ErrnoException e) {
      throw new UncheckedIOException(e);
    }
    queue.unreserve(memory.byteSize());
  }

  /** Takes back the buffers that became unreachable without a release. */
  private void reclaimLeaked() {
    for (Optional<MemorySegment> memory = leases.endLeaked();
        memory.isPresent();
        memory = leases.endLeaked()) {
      queue.countLeak();
      giveBack(memory.get());
    }
  }

  /**
   * Returns the first {@value Leases#MAX_LEAKS_KEPT} leaks that the garbage collector has found.
   * {@link #statistics} counts all of them.
   */
  public List<BufferLeak> leaks() {
    reclaimLeaked();
    return leases.leaks();
  }

  /** Returns the figures of the pool. */
  public BufferPoolStatistics statistics() {
    return queue.statistics();
  }

  private BufferPoolExhaustedException exhausted(
      String holder, long sizeBytes, long timeoutMillis) {
    String what =
        "no buffer of %s for '%s' within %d ms from a pool of %s; %s. Hint: %s"
            .formatted(
                HolderReport.size(sizeBytes),
                holder,
                timeoutMillis,
                HolderReport.size(options.boundBytes()),
                leases.describe(),
                "release sooner, or give the pool a larger bound");
    return leases.withOrigins(new BufferPoolExhaustedException(what));
  }

  private BufferPoolExhaustedException refused(long sizeBytes, String holder, ErrnoException why) {
    String what =
        "the kernel has no %s for '%s'; %s. Hint: %s"
            .formatted(
                HolderReport.size(sizeBytes),
                holder,
                leases.describe(),
                "ulimit -v and vm.max_map_count bound what it gives");
    return leases.withOrigins(new BufferPoolExhaustedException(what, why));
  }

  /**
   * Closes the pool without waiting: threads that wait for a buffer get an {@link
   * IllegalStateException}. Free memory is unmapped now, memory in use when it is released. Closing
   * again does nothing.
   *
   * @throws IllegalStateException after the close, if a buffer is still in use or was leaked; the
   *     message names the holders
   */
  @Override
  public void close() {
    if (end()) {
      reportUnreleased();
    }
  }

  /**
   * As {@link #close}, but without an exception for buffers that are still in use: they are
   * unmapped when they are released.
   */
  public void retire() {
    end();
  }

  /** Closes the pool; returns whether this was the first call. */
  private boolean end() {
    if (!closed.compareAndSet(false, true)) {
      return false;
    }
    reclaimLeaked();
    queue.close().forEach(this::unmap);
    return true;
  }

  private void reportUnreleased() {
    List<Lease> holding = leases.current();
    List<BufferLeak> lost = leaks();
    if (holding.isEmpty() && lost.isEmpty()) {
      return;
    }
    IllegalStateException failure =
        new IllegalStateException(
            "the buffer pool is closed, but not every buffer was released; %s; never released: %s"
                .formatted(leases.describe(holding), lost));
    leases.withOrigins(failure);
    lost.forEach(leak -> leak.origin().ifPresent(failure::addSuppressed));
    throw failure;
  }
}
