package dev.tailwater.store.datafile.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.common.Threads;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.LogEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: writes and syncs the log when somebody waits for it or a timer is due. All writes
 * that wait at the same time share one fdatasync(2); while it runs, the next group collects.
 *
 * <p>A waiting platform thread syncs for all when nobody else does: it leads. So a single writer
 * never waits for a change of threads. A native call pins its carrier, so a virtual thread that
 * synced would block all virtual threads of a core; for virtual threads, for waiters on a future,
 * and for timers, the committer's own thread leads.
 */
public final class Committer {
  private static final long MIN_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final PosixPath directory;
  private final FileCalls calls;
  private final long syncAboveBytes;
  private final Thread thread;
  private final CommitTimers timers;
  private final CommitDelay gathering = new CommitDelay(System::nanoTime);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  @GuardedBy("lock")
  private final ArrayDeque<Commit> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private @Nullable CommitTarget target;

  /** Whether somebody is writing and syncing for all now. */
  @GuardedBy("lock")
  private boolean leading;

  /** Whether there are waiters that cannot lead. */
  @GuardedBy("lock")
  private boolean threadWanted;

  /** Whether the committer's thread waits until nobody leads. */
  @GuardedBy("lock")
  private boolean threadIsNext;

  private volatile boolean syncWanted;

  @GuardedBy("lock")
  private boolean closing;

  private final AtomicLong syncs = new AtomicLong();
  private volatile @Nullable Throwable failure;

  /**
   * Creates a committer, to be {@linkplain #start started}.
   *
   * @param writeWithinNanos longest time that a write without durability stays in memory
   * @param syncAboveBytes most bytes written without a sync
   */
  public Committer(
      PosixPath directory, FileCalls calls, long writeWithinNanos, long syncAboveBytes) {
    this.directory = directory;
    this.calls = calls;
    this.syncAboveBytes = syncAboveBytes;
    this.timers = new CommitTimers(System::nanoTime, writeWithinNanos);
    this.thread =
        Thread.ofPlatform().daemon().name("tailwater-store-committer").unstarted(this::run);
  }

  public void start(CommitTarget log) {
    lock.lock();
    try {
      target = log;
    } finally {
      lock.unlock();
    }
    thread.start();
  }

  /** Throws when the store takes no more writes. */
  void checkWorks() throws StoreException {
    Throwable failed = failure;
    if (failed != null) {
      throw new StoreFailedException(directory, failed);
    }
  }

  /** Returns why the store takes no more writes; null while it does. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Makes the store take no more writes; the first reason is kept. */
  void fail(Throwable thrown) {
    lock.lock();
    try {
      if (failure == null) {
        Throwable cause = thrown.getCause();
        failure = thrown instanceof StoreException && cause != null ? cause : thrown;
      }
      work.signal();
    } finally {
      lock.unlock();
    }
    complete(Long.MAX_VALUE);
  }

  /** Returns the number of fdatasyncs made for writers. */
  public long syncs() {
    return syncs.get();
  }

  /**
   * Registers something that was appended, for which the caller will wait by {@link #await} or
   * {@link #future}. Called with the append lock held.
   */
  Commit appended(long sequence) {
    Commit commit = new Commit(sequence);
    lock.lock();
    try {
      Throwable failed = failure;
      if (failed == null) {
        waiting.add(commit);
        gathering.arrived();
      } else {
        commit.take();
        commit.complete(failed);
      }
    } finally {
      lock.unlock();
    }
    return commit;
  }

  /**
   * Registers something that was appended for which nobody waits. Called with the append lock held.
   *
   * @param undurableBytes bytes that are not known to be on disk
   */
  void appendedUnwaited(Durability durability, long undurableBytes) {
    long withinNanos =
        durability instanceof Durability.Periodic periodic
            ? TimeUnit.NANOSECONDS.convert(periodic.every())
            : CommitTimers.NEVER;
    boolean tooMuch = undurableBytes > syncAboveBytes && !syncWanted;
    if (tooMuch || !timers.suffice(withinNanos)) {
      lock.lock();
      try {
        timers.arm(withinNanos);
        syncWanted |= tooMuch;
        work.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits until the write is durable or never will be; returns why not. Holds no lock, and pins no
   * carrier.
   */
  Optional<Throwable> await(Commit commit) {
    Thread current = Thread.currentThread();
    if (current.isVirtual()) {
      return future(commit).join();
    }
    commit.isAwaitedBy(current);
    boolean interrupted = false;
    while (!commit.isDone()) {
      if (beginLeading(commit)) {
        sync();
      } else {
        commit.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      current.interrupt();
    }
    return commit.failure();
  }

  /** Returns a future of the outcome, which holds no thread. */
  CompletableFuture<Optional<Throwable>> future(Commit commit) {
    CompletableFuture<Optional<Throwable>> future = commit.future();
    if (!commit.isDone()) {
      lock.lock();
      try {
        threadWanted = true;
        work.signal();
      } finally {
        lock.unlock();
      }
    }
    return future;
  }

  /** Starts leading; returns false when somebody else leads, or the commit is about to complete. */
  private boolean beginLeading(Commit commit) {
    lock.lock();
    try {
      boolean begins = !leading && !commit.isTaken();
      leading |= begins;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /** Ends leading, and wakes the next leader. */
  private void endLeading() {
    @Nullable Commit next = null;
    lock.lock();
    try {
      leading = false;
      if (threadIsNext) {
        work.signal();
      }
      for (Commit commit : waiting) {
        if (commit.hasThread()) {
          next = commit;
          break;
        }
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.wake();
    }
  }

  /** Writes and syncs for all that wait; the caller leads. */
  private void sync() {
    // Catches everything, an Error too: the writers must be told.
    List<Commit> done = List.of();
    try {
      gathering.await();
      CommitTarget to = beginWriting(true);
      if (to != null) {
        LogEnd written = to.endToSync();
        try (DataFile synced = written.file()) { // or it might be replaced meanwhile
          to.write(written);
          long begin = System.nanoTime();
          calls.fdatasync(synced.fd());
          gathering.synced(System.nanoTime() - begin);
        }
        syncs.incrementAndGet();
        to.onDurable(written);
        done = takeUpTo(written.lastSequence());
      }
    } catch (Throwable failed) {
      fail(failed);
    } finally {
      endLeading();
    }
    done.forEach(commit -> commit.complete(null));
  }

  /** Resets the timers, and returns the log to be written; null after a failure. */
  private @Nullable CommitTarget beginWriting(boolean syncs) {
    lock.lock();
    try {
      if (syncs) {
        timers.syncing();
        syncWanted = false;
      } else {
        timers.writing();
      }
      return failure == null ? target : null;
    } finally {
      lock.unlock();
    }
  }

  private List<Commit> takeUpTo(long sequence) {
    lock.lock();
    try {
      List<Commit> taken = new ArrayList<>(waiting.size());
      while (!waiting.isEmpty() && waiting.getFirst().sequence() <= sequence) {
        Commit commit = waiting.removeFirst();
        commit.take();
        taken.add(commit);
      }
      gathering.completed(taken.size(), waiting.size());
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Completes commits after a failure. */
  private void complete(long sequence) {
    Throwable failed = failure;
    takeUpTo(sequence).forEach(commit -> commit.complete(failed));
  }

  /** Waits for all registered commits; then writes and syncs nothing any more. */
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    Threads.joinUninterruptibly(thread);
  }

  private enum Task {
    WRITE,
    SYNC,
    END
  }

  private void run() {
    for (Task task = nextTask(); task != Task.END; task = nextTask()) {
      if (task == Task.SYNC) {
        sync();
      } else {
        write();
      }
    }
  }

  private void write() {
    try {
      CommitTarget to = beginWriting(false);
      if (to != null) {
        to.write(to.end());
      }
    } catch (Throwable failed) {
      fail(failed);
    }
  }

  /** Waits for the next task; for a sync, the caller leads. */
  private Task nextTask() {
    lock.lock();
    try {
      while (true) {
        threadWanted &= !waiting.isEmpty();
        boolean works = failure == null;
        long syncInNanos = timers.syncDueInNanos();
        long writeInNanos = timers.writeDueInNanos();
        boolean syncs =
            threadWanted || syncWanted || syncInNanos == 0 || (closing && !waiting.isEmpty());
        threadIsNext = leading && (closing || (works && syncs));
        if (threadIsNext || (!works && !closing)) {
          work.awaitUninterruptibly();
        } else if (works && syncs) {
          threadWanted = false;
          leading = true;
          return Task.SYNC;
        } else if (closing) {
          return Task.END;
        } else if (writeInNanos == 0) {
          return Task.WRITE;
        } else {
          try {
            work.awaitNanos(Math.max(MIN_WAIT_NANOS, Math.min(writeInNanos, syncInNanos)));
          } catch (InterruptedException nobodyDoesThis) {
            // Nobody interrupts this object's own thread; it checks for work and goes on.
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
