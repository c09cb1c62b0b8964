package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.KeyState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to the log, and makes them visible or keeps them pending until they are durable.
 * Used with the append lock held.
 */
final class Appender {
  private final PosixPath directory;
  private final Index index;
  private final RecordLog log;
  private final Publisher publisher;
  private final Committer committer;
  private final PendingKeys pending = new PendingKeys();

  Appender(
      PosixPath directory, Index index, RecordLog log, Publisher publisher, Committer committer) {
    this.directory = directory;
    this.index = index;
    this.log = log;
    this.publisher = publisher;
    this.committer = committer;
  }

  RecordLog log() {
    return log;
  }

  PendingKeys pending() {
    return pending;
  }

  /**
   * Returns whether the index still has what was found for each key, or a newer record is pending.
   */
  boolean allCurrent(List<PlannedChange> changes) {
    for (PlannedChange change : changes) {
      KeyState state = change.state();
      if (pending.find(state.hash(), state.key()) == null && !state.isCurrent(index)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the record that a change makes of the key's newest record; null for nothing. */
  @Nullable RecordData decide(PlannedChange change) {
    KeyState state = change.state();
    PendingKey key = pending.find(state.hash(), state.key());
    if (key != null && key.newest != null) {
      return key.newest.removes()
          ? change.decider().decide(null, 0)
          : change.decider().decide(key.newest, key.newestSequence);
    }
    return change.decider().decide(state.data(), state.sequence());
  }

  /** Returns whether a record of this key is appended but not durable yet. */
  boolean isPending(KeyState state) {
    return pending.find(state.hash(), state.key()) != null;
  }

  /**
   * Appends records as one batch.
   *
   * @param waits whether they become visible only when they are durable
   * @throws StoreWriteException when nothing was appended
   */
  void appendAll(
      List<PlannedChange> changes, List<RecordData> records, long lengthBytes, boolean waits)
      throws StoreException {
    try {
      log.reserve(lengthBytes);
      List<PendingWrite> appended = new ArrayList<>(records.size());
      for (int i = 0; i < records.size(); i++) {
        KeyState state = changes.get(i).state();
        PendingKey key = pending.hold(state);
        appended.add(append(key, records.get(i), i < records.size() - 1, waits));
      }
      for (PendingWrite write : appended) {
        // When a batch removes a key and puts it again, the removal must never be visible.
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

  /**
   * Fails the store, after an Error too: nothing may be appended after a record in an unknown
   * state.
   */
  private StoreFailedException failedWith(Throwable failed) {
    committer.fail(failed);
    return failed instanceof StoreFailedException already
        ? already
        : new StoreFailedException(directory, failed);
  }

  private PendingWrite append(PendingKey key, RecordData data, boolean more, boolean waits)
      throws ErrnoException {
    int flags = (more ? RecordHeader.MORE : 0) | (othersHaveHash(key) ? RecordHeader.COLLIDES : 0);
    long location = log.append(data, flags, key.hash);
    // A caller that does not wait may change its arrays while others still use them.
    key.newest = waits || !key.isShared() ? data : data.copy();
    key.newestSequence = log.lastSequence();
    return new PendingWrite(key, log.lastSequence(), location, data.removes(), IndexTags.of(data));
  }

  private boolean othersHaveHash(PendingKey key) {
    long there = index.find(key.hash);
    boolean inIndex = there != Location.NONE && there != key.visible;
    return inIndex || pending.hasOther(key);
  }

  /**
   * Appends a put that is visible at once: compares and changes the index in one step.
   *
   * @return false when nothing was appended
   */
  boolean putNow(PlannedPut put) throws StoreException {
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
        publisher.addTags(IndexTags.of(data), put.hash(), log.lastSequence());
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
   * Appends a put that becomes visible when it is durable.
   *
   * @return false when nothing was appended
   * @param isCurrent whether the index is as it was when the put was looked up
   */
  boolean putPending(BulkPlan plan, int number, boolean isCurrent) throws StoreException {
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
      PendingKey key = pending.hold(hash, data.key(), from);
      pending.add(append(key, data, false, true));
      return true;
    } catch (StoreWriteException nothingWritten) {
      throw nothingWritten;
    } catch (Throwable failed) {
      throw failedWith(failed);
    }
  }
}
