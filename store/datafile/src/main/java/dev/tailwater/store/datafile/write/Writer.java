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
 * The writer of a store: appends what callers have prepared, in the order in which they get the
 * append lock. The lock is held for copying, and for pwrite(2) when the buffer is full; for syncing
 * only when a file is full, and never for reading. The index changes only under it.
 */
public final class Writer implements CommitTarget {
  /** Most puts of bulk writes that become visible before other writers go on. */
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

  /** Whether a caller's update is being asked: what it wrote would be appended within its write. */
  @GuardedBy("lock")
  private boolean deciding;

  public Writer(
      PosixPath directory, Index index, RecordLog log, Publisher publisher, Committer committer) {
    this.directory = directory;
    this.log = log;
    this.publisher = publisher;
    this.committer = committer;
    this.appender = new Appender(directory, index, log, publisher, committer);
  }

  /**
   * The result of an attempt.
   *
   * @param sequence number of the last record; 0 when nothing was appended
   * @param commit to wait for before acknowledging the write; null when nobody waits
   */
  record Appended(long sequence, @Nullable Commit commit) {}

  /**
   * The result of several puts.
   *
   * @param count how many were appended
   * @param refused why the next one was not; null when its key was changed since it was looked up,
   *     or all were appended
   */
  record AppendedPuts(int count, @Nullable StoreWriteException refused) {}

  /**
   * Appends all changes as one batch, or none.
   *
   * @return null when a key has changed since it was looked up, and nothing was appended
   */
  @Nullable Appended append(List<PlannedChange> changes, Durability durability)
      throws StoreException {
    lock.lock();
    try {
      requireNoUpdate();
      committer.checkWorks();
      if (!appender.allCurrent(changes)) {
        return null;
      }
      List<RecordData> records = new ArrayList<>(changes.size());
      long bytes = 0;
      for (PlannedChange change : changes) {
        RecordData data = decide(change);
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

  @GuardedBy("lock")
  private @Nullable RecordData decide(PlannedChange change) {
    deciding = true;
    try {
      return appender.decide(change);
    } finally {
      deciding = false;
    }
  }

  /** Throws when the thread that has the lock has it for an update that uses the store. */
  @GuardedBy("lock")
  private void requireNoUpdate() {
    if (deciding) {
      throw new IllegalStateException(
          "an update writes to the store " + directory + ", which waits for its decision");
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
   * @return its number; 0 when nothing was appended, because the key has changed since it was
   *     looked up or {@link #append(List, Durability)} has to be used
   */
  long put(PlannedPut put, Durability durability) throws StoreException {
    lock.lock();
    try {
      requireNoUpdate();
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
   * Appends puts of a plan in their order, each on its own, up to the first that cannot be
   * appended.
   *
   * @param first number of the first put; the last is that of the plan
   */
  AppendedPuts putAll(BulkPlan plan, int first, Durability durability) throws StoreException {
    boolean waits = durability instanceof Durability.Group;
    lock.lock();
    try {
      requireNoUpdate();
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

  /** Returns {@link Publisher#changes}. */
  long indexChanges() {
    return publisher.changes();
  }

  /** Seals the newest file; nothing may be written any more. */
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
   * Waits until everything that was appended before this call is durable and visible; returns the
   * number of its last record.
   */
  public long settle() throws StoreException {
    Commit commit;
    lock.lock();
    try {
      requireNoUpdate();
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

  /**
   * Returns a commit to wait until everything that was appended before this call is durable and
   * visible.
   */
  Commit commit() {
    lock.lock();
    try {
      requireNoUpdate();
      return committer.appended(log.lastSequence());
    } finally {
      lock.unlock();
    }
  }

  /** Begins a new file, unless the newest is empty or no more may be open. */
  public void beginFile() throws StoreException {
    lock.lock();
    try {
      requireNoUpdate();
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

  /** Receives records that were moved: hash, old and new location. */
  @FunctionalInterface
  public interface Relocation {
    /**
     * Moves a record; {@link dev.tailwater.store.datafile.index.Location#NONE} as {@code to}: it is
     * gone.
     */
    void moved(long hash, long from, long to);
  }

  /**
   * Points the index to where the vacuum has written records; skips those that are not the newest
   * of their key any more. Writers wait meanwhile, so only some are moved at a time.
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

  /** Makes the store take no more writes. */
  public void fail(Throwable reason) {
    committer.fail(reason);
  }

  /** Returns whether a thread waits for the append lock. */
  public boolean hasWaiters() {
    return lock.hasQueuedThreads();
  }

  /** Returns whether this thread holds the append lock, so that it must not wait for others. */
  public boolean holdsAppendLock() {
    return lock.isHeldByCurrentThread();
  }

  /** Runs an action with the append lock held: nothing is appended or becomes visible meanwhile. */
  public <T> T withAppendLock(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of calls that changed something. */
  public long writes() {
    lock.lock();
    try {
      return writes;
    } finally {
      lock.unlock();
    }
  }
}
