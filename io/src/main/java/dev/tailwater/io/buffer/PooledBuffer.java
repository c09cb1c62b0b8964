package dev.tailwater.io.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A buffer of native memory from a {@link BufferPool}; {@link #close} returns it to the pool.
 *
 * <p>A new buffer belongs to the platform or virtual thread that acquired it: only that thread may
 * use and release it. Every access after the release, through any segment, slice or byte buffer
 * made from it, throws {@link IllegalStateException}. This check is practically free. {@link
 * #share} opens the buffer to all threads.
 */
public final class PooledBuffer implements AutoCloseable {
  private final Leases leases;
  private final long sizeBytes;
  private final String holder;
  private final Optional<Throwable> origin;
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile Optional<Throwable> releasedAt = Optional.empty();
  private volatile Loan loan;

  /** The state of the loan, replaced when the buffer is shared. */
  private record Loan(
      Lease lease, MemorySegment view, Arena arena, Optional<Thread> owner, boolean closesArena) {}

  private PooledBuffer(Leases leases, Loan first) {
    this.leases = leases;
    this.sizeBytes = first.view().byteSize();
    this.holder = first.lease().holder();
    this.origin = first.lease().origin();
    this.loan = first;
  }

  /** Creates a buffer that belongs to the current thread. */
  static PooledBuffer lend(Leases leases, MemorySegment memory, long sizeBytes, String holder) {
    Arena arena = Arena.ofConfined();
    MemorySegment view = leases.view(memory, sizeBytes, arena);
    Lease lease = leases.begin(view.scope(), memory, holder);
    return new PooledBuffer(
        leases, new Loan(lease, view, arena, Optional.of(Thread.currentThread()), true));
  }

  /**
   * Lets any thread use and release the buffer from now on. Segments obtained before become
   * invalid, so call {@link #segment} again. The content of the buffer stays.
   *
   * <p>The caller must ensure that no thread uses a segment of the buffer after its release, and
   * that no read into it is still in progress then; only {@link BufferPoolOptions#checkShared}
   * checks this. {@link #segment} itself always checks.
   *
   * @return this
   * @throws IllegalStateException after release
   * @throws WrongThreadException when it belongs to another thread
   */
  public PooledBuffer share() {
    Loan old = usable("share");
    if (old.owner().isEmpty()) {
      return this;
    }
    requireOwner(old, "shared");
    Arena arena = Arena.ofShared();
    MemorySegment view = leases.view(old.lease().memory(), sizeBytes, arena);
    Lease lease = leases.renew(old.lease(), view.scope());
    loan = new Loan(lease, view, arena, Optional.empty(), leases.checksShared());
    old.arena().close();
    return this;
  }

  /**
   * Returns the memory, page-aligned and of the requested size. Its content is undefined.
   *
   * @throws IllegalStateException after release
   */
  public MemorySegment segment() {
    return usable("use").view();
  }

  /** Returns the requested size. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns the name given by the thread that acquired it. */
  public String holder() {
    return holder;
  }

  /**
   * Returns the memory to the pool. Any thread may release a shared buffer, once.
   *
   * @throws IllegalStateException when it was released before, even by another thread at the same
   *     time; or, with {@link BufferPoolOptions#checkShared}, while native code works on it, and
   *     then it is not released
   * @throws WrongThreadException when it belongs to another thread; it is not released then
   */
  @Override
  public void close() {
    Loan last = usable("release");
    requireOwner(last, "released");
    if (!released.compareAndSet(false, true)) {
      throw after("release");
    }
    try {
      closeArena(last);
      releasedAt = leases.trace("released here");
      leases.end(last.lease());
    } finally {
      Reference.reachabilityFence(last);
    }
  }

  private void closeArena(Loan last) {
    if (last.closesArena()) {
      try {
        last.arena().close();
      } catch (IllegalStateException e) {
        released.set(false);
        throw new IllegalStateException(
            this + " is released while native code works on it: " + e.getMessage(), e);
      }
    }
  }

  private Loan usable(String action) {
    if (released.get()) {
      throw after(action);
    }
    return loan;
  }

  private void requireOwner(Loan current, String action) {
    if (current.owner().isPresent() && !current.owner().get().equals(Thread.currentThread())) {
      throw new WrongThreadException(
          "%s belongs to thread %s and is %s by %s; share() it first"
              .formatted(
                  this, current.owner().get().getName(), action, Thread.currentThread().getName()));
    }
  }

  private IllegalStateException after(String action) {
    String what =
        action.equals("release") ? " is released twice" : ": " + action + " after release";
    IllegalStateException failure = new IllegalStateException(this + what, origin.orElse(null));
    releasedAt.ifPresent(failure::addSuppressed);
    return failure;
  }

  @Override
  public String toString() {
    return "buffer of " + HolderReport.size(sizeBytes) + " held by '" + holder + "'";
  }
}
