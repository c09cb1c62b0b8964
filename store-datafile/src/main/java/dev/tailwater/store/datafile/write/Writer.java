package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.datafile.file.Labels;
import dev.tailwater.store.datafile.file.LogEnd;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
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
public final class Writer {
  /** So many puts of bulks are made seen before others may go on. */
  private static final int SEEN_AT_ONCE = 16 * 1024;

  private final PosixPath directory;
  private final Index index;
  private final RecordLog log;
  private final Publisher publisher;
  private final PendingKeys pending = new PendingKeys();
  private final ReentrantLock lock = new ReentrantLock();
  private final Committer committer;
  private long writes;

  public Writer(
      PosixPath directory, Index index, RecordLog log, Publisher publisher, Committer committer) {
    this.directory = directory;
    this.index = index;
    this.log = log;
    this.publisher = publisher;
    this.committer = committer;
  }

  /** One key that is to be changed. */
  record Planned(KeyState state, Decider decider) {}

  /**
   * One put that does not look at what is there.
   *
   * @param from where the index has the key's record, which has no labels, and no other of this
   *     hash; {@link Location#NONE} when it has none of this hash
   */
  record PlannedPut(RecordData data, long hash, long from) {}

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
  @Nullable Appended append(List<Planned> changes, Durability durability) throws StoreException {
    lock.lock();
    try {
      committer.checkWorks();
      if (!allCurrent(changes)) {
        return null;
      }
      List<RecordData> records = new ArrayList<>(changes.size());
      long bytes = 0;
      for (Planned change : changes) {
        RecordData data = decide(change);
        if (data == null) { // only a change that stands alone can decide so
          return new Appended(0, commitOf(change.state()));
        }
        records.add(data);
        bytes += RecordEncoder.recordBytes(data);
      }
      appendAll(changes, records, bytes, durability instanceof Durability.Group);
      writes++;
      return new Appended(log.lastSequence(), commit(durability));
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Commit commit(Durability durability) {
    if (durability instanceof Durability.Group) {
      return committer.appended(log.lastSequence());
    }
    committer.appendedUnwaited(durability, log.undurableBytes());
    return null;
  }

  private boolean allCurrent(List<Planned> changes) {
    for (Planned change : changes) {
      KeyState state = change.state();
      if (pending.find(state.hash(), state.key()) == null && !state.isCurrent(index)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable RecordData decide(Planned change) {
    KeyState state = change.state();
    PendingKeys.Key key = pending.find(state.hash(), state.key());
    if (key != null && key.newest != null) {
      return key.newest.removes()
          ? change.decider().decide(null, 0)
          : change.decider().decide(key.newest, key.newestSequence);
    }
    return change.decider().decide(state.data(), state.sequence());
  }

  /** Who decides by what is not durable yet has to wait until it is. */
  private @Nullable Commit commitOf(KeyState state) {
    boolean isPending = pending.find(state.hash(), state.key()) != null;
    return isPending ? committer.appended(log.lastSequence()) : null;
  }

  private void appendAll(
      List<Planned> changes, List<RecordData> records, long lengthBytes, boolean waits)
      throws StoreException {
    try {
      log.reserve(lengthBytes);
      List<PendingKeys.Write> appended = new ArrayList<>(records.size());
      for (int i = 0; i < records.size(); i++) {
        KeyState state = changes.get(i).state();
        PendingKeys.Key key = pending.hold(state);
        appended.add(append(key, records.get(i), i < records.size() - 1, waits));
      }
      for (PendingKeys.Write write : appended) {
        // Of a batch that removes a key and puts it again, nobody may see the removal.
        boolean isLastOfItsKey = write.sequence() == write.key().newestSequence;
        if (isLastOfItsKey && waits) {
          pending.add(write);
        } else {
          if (isLastOfItsKey) {
            publisher.publish(write);
          }
          pending.release(write.key());
        }
      }
    } catch (StoreWriteException nothingWritten) {
      throw nothingWritten;
    } catch (Throwable failed) {
      throw failedWith(failed);
    }
  }

  /** Whatever it is, an Error too: nothing may be appended behind what nobody knows. */
  private StoreFailedException failedWith(Throwable failed) {
    committer.fail(failed);
    return failed instanceof StoreFailedException already
        ? already
        : new StoreFailedException(directory, failed);
  }

  private PendingKeys.Write append(
      PendingKeys.Key key, RecordData data, boolean more, boolean waits) throws ErrnoException {
    int flags = (more ? RecordHeader.MORE : 0) | (othersHaveHash(key) ? RecordHeader.COLLIDES : 0);
    long location = log.append(data, flags, key.hash);
    // Who does not wait may change his arrays while others still build on them.
    key.newest = waits || !key.isShared() ? data : data.copy();
    key.newestSequence = log.lastSequence();
    return new PendingKeys.Write(
        key, log.lastSequence(), location, data.removes(), Labels.of(data));
  }

  private boolean othersHaveHash(PendingKeys.Key key) {
    long there = index.find(key.hash);
    boolean inIndex = there != Location.NONE && there != key.visible;
    return inIndex || pending.hasOther(key);
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
      if (!putNow(put)) {
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
        pending.bringNear(plan, first);
        boolean isCurrent = plan.indexChanges() == publisher.changes();
        while (next < end
            && plan.from(next) != Index.SEVERAL
            && (waits ? putPending(plan, next, isCurrent) : putNow(plan.put(next)))) {
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

  /** Seen at once. What the index says is found out and changed in one step. */
  private boolean putNow(PlannedPut put) throws StoreException {
    RecordData data = put.data();
    int lengthBytes = RecordEncoder.recordBytes(data);
    if (pending.hasHash(put.hash()) || !RecordLog.canTakeBack(lengthBytes)) {
      return false;
    }
    try {
      log.reserve(lengthBytes);
      long location = log.place(data, 0, put.hash());
      boolean moved = publisher.moveIf(put.hash(), put.from(), location);
      if (moved) {
        log.keep(location, data);
        publisher.label(Labels.of(data), put.hash(), log.lastSequence());
      } else {
        log.takeBack(location);
      }
      return moved;
    } catch (StoreWriteException nothingWritten) {
      throw nothingWritten;
    } catch (Throwable failed) {
      throw failedWith(failed);
    }
  }

  /**
   * Seen when it is durable.
   *
   * @param isCurrent whether the index is as it was when the put was looked up
   */
  private boolean putPending(BulkPlan plan, int number, boolean isCurrent) throws StoreException {
    RecordData data = plan.record(number);
    long hash = plan.hash(number);
    long from = plan.from(number);
    boolean hashIsPending = pending.hasHash(hash);
    boolean isPending = hashIsPending && pending.find(hash, data.key()) != null;
    if (!isPending && !isCurrent && index.find(hash) != from) {
      return false;
    }
    try {
      log.reserve(RecordEncoder.recordBytes(data));
      if (!hashIsPending) {
        long location = log.append(data, 0, hash);
        pending.puts().add(hash, from, location, data, log.lastSequence());
        return true;
      }
      PendingKeys.Key key = pending.hold(hash, data.key(), from);
      pending.add(append(key, data, false, true));
      return true;
    } catch (StoreWriteException nothingWritten) {
      throw nothingWritten;
    } catch (Throwable failed) {
      throw failedWith(failed);
    }
  }

  /** What is appended by now, to be {@linkplain #write written}. */
  LogEnd end() {
    lock.lock();
    try {
      return log.end(false);
    } finally {
      lock.unlock();
    }
  }

  /** What is appended by now, to be written and synced; its file is retained for the caller. */
  LogEnd endToSync() {
    lock.lock();
    try {
      log.file().retain();
      return log.end(true);
    } finally {
      lock.unlock();
    }
  }

  /** Hands it to the kernel; others append meanwhile. */
  void write(LogEnd end) throws ErrnoException {
    log.write(end);
  }

  /** Makes seen what is durable, in steps between which others append. */
  void isDurable(LogEnd synced) {
    boolean more = true;
    while (more) {
      lock.lock();
      try {
        log.isDurable(synced);
        PendingPuts puts = pending.puts();
        long upTo =
            puts.isEmpty()
                ? synced.lastSequence()
                : Math.min(synced.lastSequence(), puts.sequenceAhead(SEEN_AT_ONCE));
        PendingKeys.Write next = pending.nextUpTo(upTo);
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

  /** Everything up to this number is seen, or replaced. With the append lock held. */
  public long settledSequence() {
    return pending.settledSequence(log.lastSequence());
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
      if (log.file().records() > 0 && log.mayGoOver()) {
        log.goOver();
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
  public boolean isWaitedFor() {
    return lock.hasQueuedThreads();
  }

  /** Whether this thread is writing at the moment, so that it must not wait for anybody. */
  public boolean isOwn() {
    return lock.isHeldByCurrentThread();
  }

  /** Runs this while nothing is appended or made seen. */
  public <T> T undisturbed(Supplier<T> action) {
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
