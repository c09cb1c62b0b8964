package dev.tailwater.store.log.write;

import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The sink of the committer: decides writes in their order, appends them to the log, and makes them
 * visible to readers. Writes for which nobody waits are visible at once, and written together with
 * the next ones. Used by the committer's thread, except {@link #committed()}, {@link
 * #wantCompaction()} and {@link #purging()}.
 */
public final class LogSink implements GroupCommitter.Sink {
  /** Most removals of expired entries that a group takes along. */
  private static final int SWEPT_AT_ONCE = 64;

  /** Until then, a purge can hand expired entries to its caller. */
  private static final long SWEPT_AFTER_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final LogSequence logs;
  private final Compaction compaction;
  private final InstantSource clock;
  private final AtomicInteger purging = new AtomicInteger();
  private volatile Committed committed;
  private volatile boolean compactionWanted;

  /** Visible, but not written. */
  private FrameDraft held;

  /** What readers see; replaced as a whole. */
  public record Committed(PersistentMap map, long writes, long commits) {}

  public LogSink(LogSequence logs, Compaction compaction, InstantSource clock, PersistentMap map) {
    this.logs = logs;
    this.compaction = compaction;
    this.clock = clock;
    this.committed = new Committed(map, 0, 0);
    this.held = new FrameDraft(map, logs.nextVersion());
  }

  public Committed committed() {
    return committed;
  }

  /** Returns the number of purges in progress; above 0, groups remove no expired entries. */
  public AtomicInteger purging() {
    return purging;
  }

  /** Asks for a compaction after the next group. */
  public void wantCompaction() {
    compactionWanted = true;
  }

  @Override
  public int commit(List<LogWrite> group) throws StoreException {
    if (held.isEmpty()) {
      held = new FrameDraft(committed.map(), logs.nextVersion());
    }
    FrameDraft.Mark before = held.mark();
    int taken = held.take(group);
    if (taken == 0 || !fitsLog()) {
      held.backTo(before);
      makeRoom(taken > 0);
      before = held.mark();
      taken = held.take(group);
    }
    boolean changed = held.operations().size() > before.operations();
    long writes = changed ? held.writes() - before.writes() : 0;
    if (held.isFull() || group.subList(0, taken).stream().anyMatch(LogWrite::waits)) {
      try {
        write(writes);
      } catch (StoreWriteException notWritten) {
        held.backTo(before);
        throw notWritten;
      }
    } else if (changed) {
      Committed old = committed;
      committed = new Committed(held.map(), old.writes() + writes, old.commits());
    }
    return taken;
  }

  /** Writes what is held as a frame of its own, and goes on in another frame or another log. */
  private void makeRoom(boolean inAnotherLog) throws StoreException {
    write(0);
    if (inAnotherLog) {
      logs.rotate();
    }
    held = new FrameDraft(committed.map(), logs.nextVersion());
  }

  private boolean fitsLog() {
    List<Operation> operations = held.operations();
    return logs.hasVersionsFor(operations.size())
        && (logs.takesFullPuts()
            || operations.stream().noneMatch(put -> put.kind() == Operation.FULL_PUT));
  }

  /** Writes what is held, if anything; after a failure it is still held. */
  private void write(long writes) throws StoreException {
    if (held.isEmpty()) {
      return;
    }
    FrameDraft.Mark before = held.mark();
    if (purging.get() == 0) {
      // Nobody sees them any more, so who writes takes some of them away.
      held.addIfRoom(held.map().removalsOfExpired(sweptMillis(), SWEPT_AT_ONCE));
    }
    try {
      logs.append(held.operations());
    } catch (StoreWriteException notWritten) {
      held.backTo(before);
      throw notWritten;
    }
    Committed old = committed;
    committed = new Committed(held.map(), old.writes() + writes, old.commits() + 1);
    held = new FrameDraft(committed.map(), logs.nextVersion());
  }

  /** What had expired by then is taken away. */
  private long sweptMillis() {
    return clock.millis() - SWEPT_AFTER_MILLIS;
  }

  @Override
  public boolean holds() {
    return !held.isEmpty();
  }

  @Override
  public void writeHeld() throws StoreException {
    write(0);
  }

  @Override
  public void afterCommit() throws StoreException {
    Committed now = committed;
    // A compaction begins another log, in which what is held would have other versions.
    if (held.isEmpty() && (compactionWanted || compaction.isDue(now.map()))) {
      compactionWanted = false;
      PersistentMap live = now.map().withoutExpired(sweptMillis());
      committed = new Committed(live, now.writes(), now.commits());
      compaction.begin(live);
    }
  }
}
