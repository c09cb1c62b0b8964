package dev.tailwater.store.datafile.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.datafile.file.LogEnd;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.read.KeyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends what callers have prepared, in the order in which they get the append lock. The lock is
 * held for copying and for pwrite(2) when the buffer is full; never for reading or syncing, but
 * when a file is full. Only who holds it changes the index.
 */
public final class Writer implements CommitTarget {
  /** So many puts of bulks are made seen before others may go on. */
  private static final int SEEN_AT_ONCE = 16 * 1024;

  private final PosixPath directory;
  private final RecordLog log;
  private final Publisher publisher;
  private final Committer committer;

  /** The append lock. */
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Appender appender;

  @GuardedBy("lock")
  private long writes;

  public Writer(
      PosixPath directory, Index index, RecordLog log, Publisher publisher, Committer committer) {
    this.directory = directory;
    this.log = log;
    this.publisher = publisher;
    this.committer = committer;
    this.appender = new Appender(directory, index, log, publisher, committer);
  }

  /**
   * What came of an attempt.
   *
   * @param sequence number of the last record; 0 when nothing was appended
   * @param commit of what must be durable before it is told; null when nobody waits
   */
  record Appended(long sequence, @Nullable Commit commit) {}

  /**
   * What came of a number of puts.
   *
   * @param count how many were appended
   * @param refused why the one behind them was not; null when its key was changed since it was
   *     looked up, or all were appended
   */
  record AppendedPuts(int count, @Nullable StoreWriteException refused) {}

  /**
   * Appends all of it as one batch, or nothing.
   *
   * @return null when a key was changed since it was looked up, and nothing was appended
   */
  @Nullable Appended append(List<PlannedChange> changes, Durability durability)
      throws StoreException {
    lock.lock();
    try {
      committer.checkWorks();
      if (!appender.allCurrent(changes)) {
        return null;
      }
      List<RecordData> records = new ArrayList<>(changes.size());
      long bytes = 0;
      for (PlannedChange change : changes) {
        RecordData data = appender.decide(change);
        if (data == null) { // only a change that stands alone can decide so
          return new Appended(0, commitOf(change.state()));
        }
        records.add(data);
        bytes += RecordEncoder.recordBytes(data);
      }
      appender.appendAll(changes, records, bytes, durability instanceof Durability.Group);
      writes++;
      return new Appended(log.lastSequence(), commit(durability));
    } finally {
      lock.unlock();
    }
  }

  /** A change that was decided by what is not durable yet has to wait until it is. */
  @GuardedBy("lock")
  private @Nullable Commit commitOf(KeyState state) {
    return appender.isPending(state) ? committer.appended(log.lastSequence()) : null;
  }

  private @Nullable Commit commit(Durability durability) {
    if (durability instanceof Durability.Group) {
      return committer.appended(log.lastSequence());
    }
    committer.appendedUnwaited(durability, log.undurableBytes());
    return null;
  }

  /**
   * Appends a put for which nobody waits.
   *
   * @return its number; 0 when the key was changed since it was looked up, or it is better appended
   *     by {@link #append(List, Durability)}, and nothing was
   */
  long put(PlannedPut put, Durability durability) throws StoreException {
    lock.lock();
    try {
      committer.checkWorks();
      if (!appender.putNow(put)) {
        return 0;
      }
      writes++;
      committer.appendedUnwaited(durability, log.undurableBytes());
      return log.lastSequence();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends puts of a plan in their order, each for itself, up to the first that cannot be
   * appended.
   *
   * @param first number of the first of them; the last is that of the plan
   */
  AppendedPuts putAll(BulkPlan plan, int first, Durability durability) throws StoreException {
    boolean waits = durability instanceof Durability.Group;
    lock.lock();
    try {
      committer.checkWorks();
      int next = first;
      @Nullable StoreWriteException refused = null;
      try {
        int end = plan.size();
        appender.pending().prefetch(plan, first);
        boolean isCurrent = plan.indexChanges() == publisher.changes();
        while (next < end
            && plan.from(next) != Index.SEVERAL
            && (waits
                ? appender.putPending(plan, next, isCurrent)
                : appender.putNow(plan.put(next)))) {
          next++;
        }
      } catch (StoreWriteException nothingWritten) {
        refused = nothingWritten;
      }
      int count = next - first;
      writes += count;
      if (count > 0 && !waits) {
        committer.appendedUnwaited(durability, log.undurableBytes());
      }
      return new AppendedPuts(count, refused);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public LogEnd end() {
    lock.lock();
    try {
      return log.end(false);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public LogEnd endToSync() {
    lock.lock();
    try {
      log.file().retain();
      return log.end(true);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void write(LogEnd end) throws ErrnoException {
    log.write(end);
  }

  @Override
  public void onDurable(LogEnd synced) {
    boolean more = true;
    while (more) {
      lock.lock();
      try {
        log.onDurable(synced);
        PendingKeys pending = appender.pending();
        PendingPuts puts = pending.puts();
        long upTo =
            puts.isEmpty()
                ? synced.lastSequence()
                : Math.min(synced.lastSequence(), puts.sequenceAhead(SEEN_AT_ONCE));
        PendingWrite next = pending.nextUpTo(upTo);
        while (next != null) {
          publisher.publish(next);
          pending.release(next.key());
          next = pending.nextUpTo(upTo);
        }
        publisher.publish(pending, upTo);
        more = upTo < synced.lastSequence();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What {@link BulkPlan#indexChanges} is for. */
  long indexChanges() {
    return publisher.changes();
  }

  /** Seals the newest file when nothing is written any more. */
  public void seal() throws ErrnoException {
    lock.lock();
    try {
      log.seal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number up to which every record is visible, or replaced; {@link #withAppendLock}.
   */
  @SuppressWarnings("GuardedBy") // the caller holds it, which is checked
  public long settledSequence() {
    if (!holdsAppendLock()) {
      throw new IllegalStateException("the append lock is not held");
    }
    return appender.pending().settledSequence(log.lastSequence());
  }

  /**
   * Waits until everything that was appended before this call is durable and seen, and returns the
   * number of its last record.
   */
  public long settle() throws StoreException {
    Commit commit;
    lock.lock();
    try {
      committer.checkWorks();
      commit = commit();
    } finally {
      lock.unlock();
    }
    Optional<Throwable> failed = committer.await(commit);
    if (failed.isPresent()) {
      throw new StoreFailedException(directory, failed.get());
    }
    return commit.sequence();
  }

  /** To wait until everything that was appended before this call is durable and seen. */
  Commit commit() {
    lock.lock();
    try {
      return committer.appended(log.lastSequence());
    } finally {
      lock.unlock();
    }
  }

  /** Begins a new file, unless nothing was written to the newest one or no more may be open. */
  public void beginFile() throws StoreException {
    lock.lock();
    try {
      committer.checkWorks();
      if (log.file().records() > 0 && log.mayRollOver()) {
        log.rollOver();
      }
    } catch (StoreWriteException nothingDone) {
      throw nothingDone;
    } catch (StoreException | RuntimeException | Error failed) {
      committer.fail(failed);
      throw failed;
    } finally {
      lock.unlock();
    }
  }

  /** Something that is known to be elsewhere: what it is, where it was and where it is now. */
  @FunctionalInterface
  public interface Relocation {
    /** {@link dev.tailwater.store.datafile.index.Location#NONE} as {@code to}: nowhere any more. */
    void moved(long hash, long from, long to);
  }

  /**
   * Lets records be found where the vacuum has written them; those that are not the newest of their
   * key any more are passed over. Who wants to write waits meanwhile, so only some at a time.
   */
  public void relocate(Consumer<Relocation> some) {
    lock.lock();
    try {
      PendingKeys pending = appender.pending();
      some.accept(
          (hash, from, to) -> {
            if (publisher.moveIfThere(hash, from, to)) {
              pending.moved(hash, from, to);
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /** Ends the taking of writes. */
  public void fail(Throwable reason) {
    committer.fail(reason);
  }

  /** Whether somebody waits to write. */
  public boolean hasWaiters() {
    return lock.hasQueuedThreads();
  }

  /** Whether this thread is writing at the moment, so that it must not wait for anybody. */
  public boolean holdsAppendLock() {
    return lock.isHeldByCurrentThread();
  }

  /** Runs this while nothing is appended or made seen. */
  public <T> T withAppendLock(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Calls that changed something. */
  public long writes() {
    lock.lock();
    try {
      return writes;
    } finally {
      lock.unlock();
    }
  }
}
