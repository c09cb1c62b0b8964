package dev.tailwater.store.datafile.write;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A write that somebody waits for, until it is durable or never will be. Thread-safe. */
final class Commit {
  private final long sequence;

  // A waiter writes the first or second and then reads the third; a completer does the reverse. So
  // one of them sees the other.
  private volatile @Nullable Thread thread;
  private volatile @Nullable CompletableFuture<Optional<Throwable>> future;
  private volatile boolean done;

  /** Written before {@link #done}. */
  private @Nullable Throwable failure;

  /** Whether somebody is about to complete it; used with the committer's lock held. */
  private boolean taken;

  /**
   * Creates a commit without a waiter.
   *
   * @param sequence number of its last record
   */
  Commit(long sequence) {
    this.sequence = sequence;
  }

  long sequence() {
    return sequence;
  }

  /** Returns whether it has an outcome. */
  boolean isDone() {
    return done;
  }

  /** Returns the failure of a commit that is done; empty when it is durable. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  void take() {
    taken = true;
  }

  boolean isTaken() {
    return taken;
  }

  /**
   * Names the thread that will park until there is an outcome, and can sync for others meanwhile.
   */
  void isAwaitedBy(Thread waiting) {
    thread = waiting;
  }

  /** Returns whether a thread waits that can sync. */
  boolean hasThread() {
    return thread != null;
  }

  /**
   * Parks the calling thread, which waits, until it is woken; returns at once when there is an
   * outcome, because a wake-up is lost while the thread is parked for a lock.
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

  /** Returns a future that completes with {@link #failure()}, never exceptionally. */
  CompletableFuture<Optional<Throwable>> future() {
    CompletableFuture<Optional<Throwable>> made = new CompletableFuture<>();
    future = made;
    if (done) {
      made.complete(failure());
    }
    return made;
  }

  /** Sets the outcome; null: it is durable. */
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
