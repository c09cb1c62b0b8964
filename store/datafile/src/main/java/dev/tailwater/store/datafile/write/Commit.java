package dev.tailwater.store.datafile.write;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One write that somebody waits for, until it is durable or will never be. Thread-safe. */
final class Commit {
  private final long sequence;

  // Whoever waits writes the first or second and then reads the third; whoever completes does it
  // the other way round. So one of them sees the other.
  private volatile @Nullable Thread thread;
  private volatile @Nullable CompletableFuture<Optional<Throwable>> future;
  private volatile boolean done;

  /** Written before {@link #done}. */
  private @Nullable Throwable failure;

  /** Will be completed by somebody who is about to; used with the committer's lock held. */
  private boolean taken;

  /**
   * Waits for nothing yet.
   *
   * @param sequence number of its last record
   */
  Commit(long sequence) {
    this.sequence = sequence;
  }

  long sequence() {
    return sequence;
  }

  /** Whether it is known what has become of it. */
  boolean isDone() {
    return done;
  }

  /** When it is done: what went wrong; empty when it is durable. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  void take() {
    taken = true;
  }

  boolean isTaken() {
    return taken;
  }

  /** This thread is going to park until there is an outcome, and can sync for others until then. */
  void isAwaitedBy(Thread waiting) {
    thread = waiting;
  }

  /** Whether a thread waits that can sync. */
  boolean hasThread() {
    return thread != null;
  }

  /**
   * Parks the thread that waits, which calls this, until it is woken; not when there is an outcome
   * by now. Its wake-up may have come while the thread was parked for a lock, and is gone then.
   */
  void park(Object blocker) {
    if (!done) {
      LockSupport.park(blocker);
    }
  }

  /** Wakes the thread that waits, if one does. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Is completed with {@link #failure()}, never exceptionally. */
  CompletableFuture<Optional<Throwable>> future() {
    CompletableFuture<Optional<Throwable>> made = new CompletableFuture<>();
    future = made;
    if (done) {
      made.complete(failure());
    }
    return made;
  }

  /** Says what has become of it; null: it is durable. */
  void complete(@Nullable Throwable failed) {
    failure = failed;
    done = true;
    wake();
    CompletableFuture<Optional<Throwable>> waits = future;
    if (waits != null) {
      waits.complete(failure());
    }
  }
}
