package dev.tailwater.store.log.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.common.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: collects the writes that wait at the same time and passes them on as one group.
 * While a group is being synced, the next one collects; no write is delayed to wait for others.
 *
 * <p>One platform thread makes the native calls. A native call pins its carrier, so a virtual
 * thread that synced for the others would block all virtual threads of a core; here callers only
 * park.
 */
public final class GroupCommitter {
  /** Taken from the queue at once, as far as lengths are known before writes are decided. */
  private static final long GROUP_BYTES = 4 * 1024 * 1024;

  private static final Duration LONGEST = Duration.ofDays(365);

  /** Shortest time between attempts to write what could not be written. */
  private static final long AGAIN_NANOS = 1_000_000_000;

  /** Makes groups durable, one at a time. */
  interface Sink {
    /**
     * Makes as many writes from the front of the group durable together as it can, and returns
     * their number, at least 1. After any exception but a {@link StoreWriteException}, the store
     * takes no more writes.
     */
    int commit(List<LogWrite> group) throws StoreException;

    /** Returns whether there are acknowledged writes that are not written yet. */
    boolean holds();

    /** Makes them durable; after a {@link StoreWriteException} they are still held. */
    void writeHeld() throws StoreException;

    /** Called after each group, once its writers have been told; throws as {@link #commit}. */
    void afterCommit() throws StoreException;
  }

  private record Pending(LogWrite write, CompletableFuture<Outcome> outcome) {}

  /** The outcome of the first writes of a group. */
  private record Committed(int writes, Outcome outcome) {}

  private sealed interface Outcome {
    record Durable() implements Outcome {}

    record NotWritten(Throwable cause) implements Outcome {}

    record Failed(Throwable cause) implements Outcome {}
  }

  private final PosixPath directory;
  private final Sink sink;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final ArrayDeque<Pending> queue = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean closing;

  private final long writeWithinNanos;

  /** When held writes must be written; used by the thread alone. */
  private long writeAtNanos;

  private volatile @Nullable Throwable failure;

  private GroupCommitter(PosixPath directory, Sink sink, Duration writeWithin) {
    this.directory = directory;
    this.sink = sink;
    this.writeWithinNanos =
        writeWithin.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : writeWithin.toNanos();
    this.thread =
        Thread.ofPlatform().daemon().name("tailwater-store-committer").unstarted(this::run);
  }

  /**
   * Starts the committer's thread.
   *
   * @param writeWithin how long writes for which nobody waits may be held
   */
  public static GroupCommitter start(PosixPath directory, Sink sink, Duration writeWithin) {
    GroupCommitter committer = new GroupCommitter(directory, sink, writeWithin);
    committer.thread.start();
    return committer;
  }

  /**
   * Queues a write; returns when it has been decided and, if it changes something, is durable.
   *
   * @throws IllegalStateException when the store is closed, or an update writes: the thread that
   *     asks updates would wait for itself
   */
  public void write(LogWrite write) throws StoreException {
    if (Thread.currentThread().equals(thread)) {
      throw new IllegalStateException(
          "an update writes to the store " + directory + ", which waits for its decision");
    }
    Pending pending = new Pending(write, new CompletableFuture<>());
    lock.lock();
    try {
      if (closing) {
        throw new IllegalStateException("store " + directory + " is closed");
      }
      queue.add(pending);
      changed.signal();
    } finally {
      lock.unlock();
    }
    // Each writer throws an exception of its own: theirs are the stack traces.
    switch (pending.outcome().join()) {
      case Outcome.Durable() -> {}
      case Outcome.NotWritten(Throwable cause) -> throw new StoreWriteException(directory, cause);
      case Outcome.Failed(Throwable cause) -> throw new StoreFailedException(directory, cause);
    }
  }

  /** Returns why the store takes no more writes; null while it does. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Takes no more writes, and waits for those in the queue. */
  public void close() {
    lock.lock();
    try {
      closing = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    Threads.joinUninterruptibly(thread);
  }

  private void run() {
    boolean ends = false;
    while (!ends) {
      boolean held = sink.holds();
      List<Pending> group = nextGroup(held);
      ends = group.isEmpty() && isClosing();
      if (held && (ends || System.nanoTime() - writeAtNanos >= 0)) {
        writeHeld(ends);
      }
      held = sink.holds();
      int told = 0;
      while (told < group.size()) {
        List<Pending> rest = group.subList(told, group.size());
        Committed first = commit(rest);
        rest.subList(0, first.writes())
            .forEach(pending -> pending.outcome().complete(first.outcome()));
        told += first.writes();
        if (first.outcome() instanceof Outcome.Durable) {
          afterCommit();
        }
      }
      if (!held && sink.holds()) {
        writeAtNanos = System.nanoTime() + writeWithinNanos;
      }
    }
  }

  /**
   * Writes what is held; acknowledged writes are never dropped silently, but tried again until the
   * end.
   */
  private void writeHeld(boolean lastTime) {
    if (failure != null) {
      return;
    }
    try {
      sink.writeHeld();
      sink.afterCommit();
    } catch (StoreWriteException notWritten) {
      writeAtNanos = System.nanoTime() + Math.max(writeWithinNanos, AGAIN_NANOS);
      if (lastTime) {
        failure = causeOf(notWritten);
      }
    } catch (Throwable unknown) {
      failure = causeOf(unknown);
    }
  }

  private boolean isClosing() {
    lock.lock();
    try {
      return closing && queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for writes; returns none when the store is closing, or when held writes are due. */
  private List<Pending> nextGroup(boolean held) {
    List<Pending> group = new ArrayList<>();
    lock.lock();
    try {
      while (queue.isEmpty() && !closing) {
        if (!held || failure != null) {
          changed.awaitUninterruptibly();
          continue;
        }
        long leftNanos = writeAtNanos - System.nanoTime();
        if (leftNanos <= 0) {
          return group;
        }
        try {
          var _ = changed.awaitNanos(leftNanos);
        } catch (InterruptedException nobodyDoesThis) {
          return group;
        }
      }
      long sizeBytes = 0;
      while (!queue.isEmpty()
          && (group.isEmpty() || sizeBytes + queue.peek().write().sizeBytes() <= GROUP_BYTES)) {
        Pending pending = queue.remove();
        sizeBytes += pending.write().sizeBytes();
        group.add(pending);
      }
    } finally {
      lock.unlock();
    }
    return group;
  }

  // Whatever went wrong, an Error too: the writers must be told, and nothing may be written behind
  // a frame of which nobody knows how far it got.
  private Committed commit(List<Pending> group) {
    Throwable failed = failure;
    if (failed != null) {
      return new Committed(group.size(), new Outcome.Failed(failed));
    }
    try {
      int writes = sink.commit(group.stream().map(Pending::write).toList());
      return new Committed(writes, new Outcome.Durable());
    } catch (StoreWriteException notWritten) {
      return new Committed(group.size(), new Outcome.NotWritten(causeOf(notWritten)));
    } catch (Throwable unknown) {
      failure = causeOf(unknown);
      return new Committed(group.size(), new Outcome.Failed(causeOf(unknown)));
    }
  }

  private void afterCommit() {
    try {
      sink.afterCommit();
    } catch (Throwable unknown) {
      failure = causeOf(unknown);
    }
  }

  private static Throwable causeOf(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return thrown instanceof StoreException && cause != null ? cause : thrown;
  }
}
