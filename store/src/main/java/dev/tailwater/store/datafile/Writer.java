package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.index.Location;
import dev.tailwater.store.segment.RecordData;
import dev.tailwater.store.segment.RecordEncoder;
import dev.tailwater.store.segment.RecordHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends what callers have prepared, in the order in which they get the append lock. The lock is
 * held for copying and for pwrite(2) when the buffer is full; never for reading or syncing, but
 * when a file is full.
 */
final class Writer {
  private final PosixPath directory;
  private final Index index;
  private final RecordLog log;
  private final Publisher publisher;
  private final PendingKeys pending = new PendingKeys();
  private final ReentrantLock lock = new ReentrantLock();
  private final Committer committer;
  private long writes;

  Writer(
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
   * What came of an attempt.
   *
   * @param sequence number of the last record; 0 when nothing was appended
   * @param durable completed when it is; null when nobody waits for it
   */
  record Appended(long sequence, @Nullable CompletableFuture<Optional<Throwable>> durable) {}

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
          return new Appended(0, durabilityOf(change.state()));
        }
        records.add(data);
        bytes += RecordEncoder.recordBytes(data);
      }
      appendAll(changes, records, bytes, durability instanceof Durability.Group);
      writes++;
      return new Appended(log.lastSequence(), committer.appended(log, durability));
    } finally {
      lock.unlock();
    }
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
  private @Nullable CompletableFuture<Optional<Throwable>> durabilityOf(KeyState state) {
    boolean isPending = pending.find(state.hash(), state.key()) != null;
    return isPending ? committer.appended(log, Durability.GROUP) : null;
  }

  // Whatever goes wrong in here, an Error too: nothing may be appended behind what nobody knows.
  private void appendAll(
      List<Planned> changes, List<RecordData> records, long lengthBytes, boolean waits)
      throws StoreException {
    try {
      log.reserve(lengthBytes);
      List<PendingKeys.Write> appended = new ArrayList<>(records.size());
      for (int i = 0; i < records.size(); i++) {
        appended.add(append(changes.get(i).state(), records.get(i), i < records.size() - 1, waits));
      }
      for (PendingKeys.Write write : appended) {
        if (waits) {
          pending.add(write);
        } else {
          publisher.publish(write);
          pending.release(write.key());
        }
      }
    } catch (StoreWriteException nothingWritten) {
      throw nothingWritten;
    } catch (Throwable failed) {
      committer.fail(failed);
      throw failed instanceof StoreFailedException already
          ? already
          : new StoreFailedException(directory, failed);
    }
  }

  private PendingKeys.Write append(KeyState state, RecordData data, boolean more, boolean waits)
      throws ErrnoException {
    PendingKeys.Key key = pending.hold(state.hash(), state.key(), state.location());
    int flags = (more ? RecordHeader.MORE : 0) | (othersHaveHash(key) ? RecordHeader.COLLIDES : 0);
    long location = log.append(data, flags);
    // Who does not wait may change his arrays while others still build on them.
    key.newest = waits || !key.isShared() ? data : data.copy();
    key.newestSequence = log.lastSequence();
    return new PendingKeys.Write(key, log.lastSequence(), location, data.removes());
  }

  private boolean othersHaveHash(PendingKeys.Key key) {
    long there = index.find(key.hash);
    boolean inIndex = there != Location.NONE && there != key.visible;
    return inIndex || pending.hasOther(key);
  }

  /** Writes what is in memory, and says up to where; then the caller syncs. */
  Committer.Written write() throws ErrnoException {
    lock.lock();
    try {
      log.write();
      return new Committer.Written(log.file(), log.endBytes(), log.lastSequence());
    } finally {
      lock.unlock();
    }
  }

  /** Makes seen what is durable. */
  void isDurable(Committer.Written written) {
    lock.lock();
    try {
      log.isDurable(written.file(), written.endBytes());
      PendingKeys.Write next = pending.nextUpTo(written.lastSequence());
      while (next != null) {
        publisher.publish(next);
        pending.release(next.key());
        next = pending.nextUpTo(written.lastSequence());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Seals the newest file when nothing is written any more. */
  void seal() throws ErrnoException {
    lock.lock();
    try {
      log.seal();
    } finally {
      lock.unlock();
    }
  }

  /** Runs this while nothing is appended or made seen. */
  <T> T undisturbed(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Calls that changed something. */
  long writes() {
    lock.lock();
    try {
      return writes;
    } finally {
      lock.unlock();
    }
  }
}
