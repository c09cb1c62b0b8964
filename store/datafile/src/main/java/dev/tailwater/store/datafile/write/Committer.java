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
 * Writes and syncs when somebody waits for it or it is time: all that wait at the same time share
 * one fdatasync(2). While one runs, the next group gathers.
 *
 * <p>A platform thread that waits syncs itself, for all, when nobody else does (it *leads*): alone,
 * it is never handed over to another thread. A native call pins its carrier, so a virtual thread
 * that synced would stop all virtual threads of one core for that long: for these, for those that
 * wait through a future, and when it is time, a thread of the committer's own leads.
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

  /** Somebody writes and syncs for all at the moment. */
  @GuardedBy("lock")
  private boolean leading;

  /** Among those that wait are some that cannot lead. */
  @GuardedBy("lock")
  private boolean threadWanted;

  /** The own thread waits until nobody leads. */
  @GuardedBy("lock")
  private boolean threadIsNext;

  private volatile boolean syncWanted;

  @GuardedBy("lock")
  private boolean closing;

  private final AtomicLong syncs = new AtomicLong();
  private volatile @Nullable Throwable failure;

  /**
   * Not running yet.
   *
   * @param writeWithinNanos how long a write without durability may stay in memory
   * @param syncAboveBytes how much may be written without a sync
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

  /** Throws when writes are not taken any more. */
  void checkWorks() throws StoreException {
    Throwable failed = failure;
    if (failed != null) {
      throw new StoreFailedException(directory, failed);
    }
  }

  /** What ended the taking of writes; null while they are taken. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Ends the taking of writes; the first reason stays. */
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

  /** Number of fdatasyncs made for writers. */
  public long syncs() {
    return syncs.get();
  }

  /**
   * Something was appended that somebody is going to wait for, by {@link #await} or {@link
   * #future}. Called with the append lock held.
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
   * Something was appended that nobody waits for. Called with the append lock held.
   *
   * @param undurableBytes how much is not known to be on disk
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

  /** Waits until the write is durable, or never will be. Holds no lock, and pins no carrier. */
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

  /** Completed with the outcome; holds no thread until then. */
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

  /** False when somebody else does, or the commit is as good as done. */
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

  /** Gives those who wait to somebody else. */
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

  /** For all that wait; the caller leads. */
  private void sync() {
    // Whatever goes wrong, an Error too: the writers must be told.
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

  /** What is appended from now on has to be written by somebody else; null after a failure. */
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

  /** After a failure. */
  private void complete(long sequence) {
    Throwable failed = failure;
    takeUpTo(sequence).forEach(commit -> commit.complete(failed));
  }

  /** Waits for all that was taken; afterwards nothing is written or synced any more. */
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

  /** When it is a sync, the caller leads. */
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
            // The thread is this object's own; it looks what is to be done, and goes on.
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
