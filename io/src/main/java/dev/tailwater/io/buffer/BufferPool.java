package dev.tailwater.io.buffer;

import dev.tailwater.io.PageSize;
import dev.tailwater.posix.AnonymousMemoryCalls;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxAnonymousMemoryCalls;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Native buffers of any size under one bound. Memory that is released is used again, and given back
 * to the kernel only to make room for other sizes, or by {@link #close}.
 *
 * <pre>{@code
 * try (BufferPool pool = BufferPool.ofBound(64 << 20);
 *     PooledBuffer buffer = pool.acquire("sealer-1", 10 << 20)) {
 *   int count = calls.pread(fd, buffer.segment(), 0);
 * }
 * }</pre>
 *
 * <p>The bound is on native memory, free and in use together, and holds at every moment. Sizes are
 * rounded up to whole pages and four steps in each doubling. Those that wait are served in the
 * order in which they came, also when a later, smaller request would fit: nobody starves.
 *
 * <p>The memory comes from mmap(2) and not from an {@link Arena} that lives as long as it does: to
 * close a shared arena the JVM makes a handshake with all threads, which takes 200 ms where sixteen
 * threads compute on two processors. Each loan has an arena of its own, which its thread alone may
 * use and which closes without a handshake. See {@link PooledBuffer}.
 *
 * <p>A buffer that is never released is noticed once the garbage collector has found that nothing
 * refers to it: the pool takes it back, counts it, and {@link #close} tells of it.
 *
 * <p>Thread-safe, for platform and virtual threads; a waiting virtual thread holds no carrier. To
 * acquire and release what is free takes a fraction of a microsecond and no system call.
 */
public final class BufferPool implements AutoCloseable {
  private static final int MAX_LEAKS_KEPT = 16;

  private final AnonymousMemoryCalls calls;
  private final BufferPoolOptions options;
  private final LongSupplier nanoTime;
  private final SizeClasses sizes;
  private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<MemorySegment.Scope> leaked = new ReferenceQueue<>();

  /** The first that were found. */
  private final Queue<BufferLeak> leaks = new ConcurrentLinkedQueue<>();

  private final AllocationQueue queue;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param calls where memory comes from; {@link LinuxAnonymousMemoryCalls#create()}
   * @param options the bound, and what is checked
   */
  public BufferPool(AnonymousMemoryCalls calls, BufferPoolOptions options) {
    this(calls, options, System::nanoTime);
  }

  /** With a clock of nanoseconds, which only tells how long somebody has a buffer. */
  BufferPool(AnonymousMemoryCalls calls, BufferPoolOptions options, LongSupplier nanoTime) {
    this.calls = calls;
    this.options = options;
    this.nanoTime = nanoTime;
    this.sizes = new SizeClasses(options.boundBytes(), PageSize.bytes());
    this.queue = new AllocationQueue(options.boundBytes(), this::reclaimLeaked);
  }

  /** A pool of this machine's memory for production; see {@link BufferPoolOptions#ofBound}. */
  public static BufferPool ofBound(long boundBytes) {
    return new BufferPool(
        LinuxAnonymousMemoryCalls.create(), BufferPoolOptions.ofBound(boundBytes));
  }

  /**
   * A buffer, for which it waits as long as it takes.
   *
   * @param holder a word for who uses it, shown when the pool is exhausted
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
   * As {@link #acquire(String, long)}, but waits no longer than this.
   *
   * @param timeoutMillis at least 0, which is not to wait
   * @throws BufferPoolExhaustedException when there was none in time; names who holds what
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
   * As {@link #acquire(String, long)}, but does not wait; empty when there is none, or when others
   * wait already.
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
    return Optional.of(PooledBuffer.lend(this, memory, sizeBytes, holder));
  }

  /** Makes room, then maps: in this order, and without the lock. */
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

  MemorySegment view(MemorySegment memory, long sizeBytes, Arena arena) {
    return calls.view(memory, sizeBytes, arena);
  }

  boolean checksShared() {
    return options.checkShared();
  }

  /** A stack trace, if they are wanted. */
  Optional<Throwable> trace(String what) {
    return options.traceOrigins() ? Optional.of(new Throwable(what)) : Optional.empty();
  }

  Lease register(MemorySegment.Scope scope, MemorySegment memory, String holder) {
    Optional<Throwable> origin = trace("acquired here by '" + holder + "'");
    Lease lease = new Lease(scope, leaked, memory, holder, nanoTime.getAsLong(), origin);
    leases.add(lease);
    return lease;
  }

  Lease renew(Lease old, MemorySegment.Scope scope) {
    Lease lease = old.renewedFor(scope);
    leases.add(lease);
    leases.remove(old);
    old.clear();
    return lease;
  }

  /** The end of a lease, by its buffer. */
  void release(Lease lease) {
    lease.clear();
    if (leases.remove(lease)) {
      giveBack(lease.memory());
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

  /** Whoever was found unreachable cannot release any more, so nobody else does. */
  private void reclaimLeaked() {
    for (Reference<? extends MemorySegment.Scope> found = leaked.poll();
        found != null;
        found = leaked.poll()) {
      Lease lease = (Lease) found;
      if (leases.remove(lease)) {
        queue.countLeak();
        if (leaks.size() < MAX_LEAKS_KEPT) {
          leaks.add(new BufferLeak(lease.holder(), lease.memory().byteSize(), lease.origin()));
        }
        giveBack(lease.memory());
      }
    }
  }

  /**
   * What was leaked, as far as the garbage collector has found it: the first {@value
   * #MAX_LEAKS_KEPT}. All are counted in {@link #statistics}.
   */
  public List<BufferLeak> leaks() {
    reclaimLeaked();
    return List.copyOf(leaks);
  }

  /** What is held, and what was done so far. */
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
                HolderReport.describe(leases, nanoTime.getAsLong()),
                "release sooner, or give the pool a larger bound");
    return withOrigins(new BufferPoolExhaustedException(what));
  }

  private BufferPoolExhaustedException refused(long sizeBytes, String holder, ErrnoException why) {
    String what =
        "the kernel has no %s for '%s'; %s. Hint: %s"
            .formatted(
                HolderReport.size(sizeBytes),
                holder,
                HolderReport.describe(leases, nanoTime.getAsLong()),
                "ulimit -v and vm.max_map_count bound what it gives");
    return withOrigins(new BufferPoolExhaustedException(what, why));
  }

  private <T extends Exception> T withOrigins(T failure) {
    leases.forEach(lease -> lease.origin().ifPresent(failure::addSuppressed));
    return failure;
  }

  /**
   * Ends the pool, without waiting: those who wait for a buffer get an {@link
   * IllegalStateException}, what is free goes back to the kernel now, and what is in use when it is
   * released. Closing again does nothing.
   *
   * @throws IllegalStateException after all that, when a buffer is still in use or was leaked;
   *     names their holders
   */
  @Override
  public void close() {
    if (end()) {
      reportUnreleased();
    }
  }

  /**
   * As {@link #close}, for an owner who ends while others still use its buffers and is not to
   * complain: what is in use goes back to the kernel when it is released.
   */
  public void retire() {
    end();
  }

  /** Whether this call was the one that ended it. */
  private boolean end() {
    if (!closed.compareAndSet(false, true)) {
      return false;
    }
    reclaimLeaked();
    queue.close().forEach(this::unmap);
    return true;
  }

  private void reportUnreleased() {
    List<Lease> holding = List.copyOf(leases);
    List<BufferLeak> lost = leaks();
    if (holding.isEmpty() && lost.isEmpty()) {
      return;
    }
    IllegalStateException failure =
        new IllegalStateException(
            "the buffer pool is closed, but not every buffer was released; %s; never released: %s"
                .formatted(HolderReport.describe(holding, nanoTime.getAsLong()), lost));
    withOrigins(failure);
    lost.forEach(leak -> leak.origin().ifPresent(failure::addSuppressed));
    throw failure;
  }
}
