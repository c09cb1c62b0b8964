package dev.tailwater.io.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Native memory on loan from a {@link BufferPool}; {@link #close} gives it back.
 *
 * <p>At first it belongs to the thread that acquired it (a virtual one too): only that thread uses
 * and releases it, and every access after the release, through whichever segment, slice or byte
 * buffer that was made of it before, is an {@link IllegalStateException}. This check costs nothing
 * worth mentioning. {@link #share} makes it everybody's.
 */
public final class PooledBuffer implements AutoCloseable {
  private final BufferPool pool;
  private final long sizeBytes;
  private final String holder;
  private final Optional<Throwable> origin;
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile Optional<Throwable> releasedAt = Optional.empty();
  private volatile Loan loan;

  /** Made anew when it is shared. */
  private record Loan(
      Lease lease, MemorySegment view, Arena arena, Optional<Thread> owner, boolean closesArena) {}

  private PooledBuffer(BufferPool pool, Loan first) {
    this.pool = pool;
    this.sizeBytes = first.view().byteSize();
    this.holder = first.lease().holder();
    this.origin = first.lease().origin();
    this.loan = first;
  }

  /** Of the current thread. */
  static PooledBuffer lend(BufferPool pool, MemorySegment memory, long sizeBytes, String holder) {
    Arena arena = Arena.ofConfined();
    MemorySegment view = pool.view(memory, sizeBytes, arena);
    Lease lease = pool.register(view.scope(), memory, holder);
    return new PooledBuffer(
        pool, new Loan(lease, view, arena, Optional.of(Thread.currentThread()), true));
  }

  /**
   * From here on any thread may use and release the buffer. Segments that were obtained before are
   * dead, so ask for {@link #segment} again. What the buffer holds stays.
   *
   * <p>Whoever shares a buffer sees to it that nobody uses a segment of it after its release, and
   * that no read into it is still under way then: that is checked only with {@link
   * BufferPoolOptions#checkShared}. {@link #segment} itself always notices.
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
    MemorySegment view = pool.view(old.lease().memory(), sizeBytes, arena);
    Lease lease = pool.renew(old.lease(), view.scope());
    loan = new Loan(lease, view, arena, Optional.empty(), pool.checksShared());
    old.arena().close();
    return this;
  }

  /**
   * The memory: page-aligned, and as long as was asked for. Holds whatever its last user left.
   *
   * @throws IllegalStateException after release
   */
  public MemorySegment segment() {
    return usable("use").view();
  }

  /** What was asked for. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Who acquired it. */
  public String holder() {
    return holder;
  }

  /**
   * Gives the memory back. A shared buffer may be released by any thread, once.
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
      releasedAt = pool.trace("released here");
      pool.release(last.lease());
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
