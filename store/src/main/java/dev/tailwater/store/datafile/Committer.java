package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.files.ThreadEnd;
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
 * one fdatasync(2). While one runs, the next group gathers by itself.
 *
 * <p>One platform thread makes these calls. A native call pins its carrier, so a virtual thread
 * that synced for the others would stop all virtual threads of one core for that long.
 */
final class Committer {
  /** Everything up to here has been handed to the kernel. */
  record Written(DataFile file, long endBytes, long lastSequence) {}

  private record Waiter(long sequence, CompletableFuture<Optional<Throwable>> durable) {}

  private static final long NEVER = Long.MAX_VALUE;
  private static final long MIN_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final PosixPath directory;
  private final FileCalls calls;
  private final long writeWithinNanos;
  private final long syncAboveBytes;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private @Nullable Writer writer;

  // Times of System.nanoTime(), which may only be subtracted from one another.
  private long writeInNanos = NEVER;
  private long syncInNanos = NEVER;
  private long measuredAtNanos = System.nanoTime();
  private boolean syncWanted;
  private boolean closing;
  private final AtomicLong syncs = new AtomicLong();
  private volatile @Nullable Throwable failure;

  /**
   * Not running yet.
   *
   * @param writeWithinNanos how long a write without durability may stay in memory
   * @param syncAboveBytes how much may be written without a sync
   */
  Committer(PosixPath directory, FileCalls calls, long writeWithinNanos, long syncAboveBytes) {
    this.directory = directory;
    this.calls = calls;
    this.writeWithinNanos = writeWithinNanos;
    this.syncAboveBytes = syncAboveBytes;
    this.thread =
        Thread.ofPlatform().daemon().name("tailwater-store-committer").unstarted(this::run);
  }

  void start(Writer withWriter) {
    writer = withWriter;
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
  @Nullable Throwable failure() {
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
  }

  /** Number of fdatasyncs made for writers. */
  long syncs() {
    return syncs.get();
  }

  /**
   * Something was appended. Called with the append lock held.
   *
   * @return completed when it is durable; null when nobody waits for that
   */
  @Nullable CompletableFuture<Optional<Throwable>> appended(RecordLog log, Durability durability) {
    lock.lock();
    try {
      boolean tooMuch = log.undurableBytes() > syncAboveBytes && !syncWanted;
      switch (durability) {
        case Durability.Group() -> {
          Waiter waiter = new Waiter(log.lastSequence(), new CompletableFuture<>());
          waiters.add(waiter);
          work.signal();
          return waiter.durable();
        }
        case Durability.None() -> wake(writeWithinNanos, NEVER, tooMuch);
        case Durability.Periodic periodic ->
            wake(writeWithinNanos, periodic.every().toNanos(), tooMuch);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void wake(long writeWithin, long syncWithin, boolean sync) {
    boolean sleeps = writeInNanos == NEVER && syncInNanos == NEVER;
    if (sleeps || syncWithin != NEVER || sync) {
      passTime();
      boolean sooner = sleeps || syncWithin < syncInNanos || sync;
      writeInNanos = Math.min(writeInNanos, writeWithin);
      syncInNanos = Math.min(syncInNanos, syncWithin);
      syncWanted |= sync;
      if (sooner) {
        work.signal();
      }
    }
  }

  /** What is to be done in so and so long is to be done that much sooner now. */
  private void passTime() {
    long now = System.nanoTime();
    long passed = now - measuredAtNanos;
    measuredAtNanos = now;
    writeInNanos = writeInNanos == NEVER ? NEVER : writeInNanos - passed;
    syncInNanos = syncInNanos == NEVER ? NEVER : syncInNanos - passed;
  }

  /** Waits for all that was taken; afterwards nothing is written or synced any more. */
  void close() {
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    ThreadEnd.await(thread);
  }

  private enum Task {
    WRITE,
    SYNC,
    END
  }

  private void run() {
    for (Task task = nextTask(); task != Task.END; task = nextTask()) {
      // Whatever goes wrong, an Error too: the writers must be told.
      try {
        perform(task);
      } catch (Throwable failed) {
        fail(failed);
      }
      Throwable failed = failure;
      if (failed != null) {
        complete(Long.MAX_VALUE, Optional.of(failed));
      }
    }
  }

  private Task nextTask() {
    lock.lock();
    try {
      while (true) {
        passTime();
        if (failure != null && waiters.isEmpty()) {
          if (closing) {
            return Task.END;
          }
          work.awaitUninterruptibly();
        } else if (!waiters.isEmpty() || syncWanted || syncInNanos <= 0) {
          syncInNanos = NEVER;
          writeInNanos = NEVER;
          syncWanted = false;
          return Task.SYNC;
        } else if (writeInNanos <= 0) {
          writeInNanos = NEVER;
          return Task.WRITE;
        } else if (closing) {
          return Task.END;
        } else if (writeInNanos == NEVER && syncInNanos == NEVER) {
          work.awaitUninterruptibly();
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

  private void perform(Task task) throws ErrnoException {
    Throwable failed = failure;
    Writer to = writer;
    if (failed != null || to == null) {
      return;
    }
    Written written = to.write();
    if (task == Task.SYNC) {
      calls.fdatasync(written.file().fd());
      syncs.incrementAndGet();
      to.isDurable(written);
      complete(written.lastSequence(), Optional.empty());
    }
  }

  private void complete(long sequence, Optional<Throwable> failed) {
    List<Waiter> done = new ArrayList<>();
    lock.lock();
    try {
      while (!waiters.isEmpty() && waiters.getFirst().sequence() <= sequence) {
        done.add(waiters.removeFirst());
      }
    } finally {
      lock.unlock();
    }
    done.forEach(waiter -> waiter.durable().complete(failed));
  }
}
