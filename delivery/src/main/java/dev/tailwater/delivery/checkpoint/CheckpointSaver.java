package dev.tailwater.delivery.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockSums;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Saves the checkpoints of one destination, and knows which of them are not saved. A failure is
 * reported and stops nobody; what could not be saved is saved with the next checkpoint, and
 * periodically tried again. Thread-safe.
 *
 * <p>One thread writes at a time, for all that wait, and asks each stream for its checkpoint just
 * before. So an older checkpoint never replaces a newer one.
 */
public final class CheckpointSaver {
  /** The subject under which trouble with the state directory is reported. */
  private static final String STATE = "state directory";

  /** The same where no destination is concerned: the one is not over when the other is. */
  private static final String NOTES = "notes in the state directory";

  /** What a user can do about it. */
  private static final String STATE_HINT =
      "delivery goes on while the agent runs, and it is tried again; the next start may deliver"
          + " nothing before it can write there: make room in the state directory; if it cannot be"
          + " written to, mend that and restart the agent";

  /** What the note is about that only finds out whether notes can be written. */
  private static final String PROBE = "probe";

  /**
   * A few megabytes: what is made for a write would otherwise outlive its use in the young
   * generation, and be collected with the old one. Each write waits for the disk once.
   */
  private static final int CHANGES_AT_ONCE = 1000;

  /**
   * Long files have many chunks of checksums, and sparse ones need no room on the disk for that.
   */
  private static final int CHUNKS_AT_ONCE = 10_000;

  private static final long SOON_MILLIS = 500;

  /**
   * Where files grow, a delivery comes before that: to write ten thousand rows just before would
   * keep it from ending.
   */
  private static final long WITH_NEXT_MILLIS = 2000;

  private static final long MIN_RETRY_MILLIS = 500;
  private static final long MAX_RETRY_MILLIS = 30_000;

  private final Rows rows;
  private final Note probe;
  private final Problems problems;
  private final String subject;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What is to be written, by stream. */
  @GuardedBy("lock")
  private Map<StreamId, Change> pending = new LinkedHashMap<>();

  /** What is being written, by stream. */
  @GuardedBy("lock")
  private Map<StreamId, Change> beingWritten = Map.of();

  /** What else is to be written, by what it is about. */
  @GuardedBy("lock")
  private Map<String, Note> notes = new LinkedHashMap<>();

  @GuardedBy("lock")
  private long asked;

  @GuardedBy("lock")
  private long answered;

  @GuardedBy("lock")
  private boolean writing;

  /** Whether the last attempt to write has failed. */
  @GuardedBy("lock")
  private boolean failing;

  @GuardedBy("lock")
  private boolean retrying;

  /** When the thread that tries again is to write, by {@link System#nanoTime}. */
  @GuardedBy("lock")
  private long dueNanos;

  @GuardedBy("lock")
  private boolean closed;

  public CheckpointSaver(CheckpointStore store, Problems problems) {
    this(store.files()::change, store::probe, problems, STATE);
  }

  private CheckpointSaver(Rows rows, Note probe, Problems problems, String subject) {
    this.rows = rows;
    this.probe = probe;
    this.problems = problems;
    this.subject = subject;
  }

  /** Returns a saver of notes that are about no destination. */
  static CheckpointSaver ofNotes(Problems problems) {
    return new CheckpointSaver(
        (checkpoints, _, forgotten) -> {
          if (!checkpoints.isEmpty() || !forgotten.isEmpty()) {
            throw new IllegalStateException("there is no table of files");
          }
        },
        () -> {},
        problems,
        NOTES);
  }

  /** Writes rows of the table of files. */
  private interface Rows {
    void change(
        Collection<Checkpoint> checkpoints,
        Map<StreamId, Map<Integer, byte[]>> blockSums,
        Collection<FileTable.Forgotten> forgotten)
        throws IOException;
  }

  /** A stream whose checkpoint is to be saved, or to be removed. */
  private record Change(StreamProgress stream, boolean forgets) {}

  /** A small fact for the next start. */
  public interface Note {
    /** Writes it; called again when it has failed. */
    void write() throws IOException;
  }

  /**
   * Reports trouble of others with the state directory, and probes it until it works. Otherwise the
   * problem would stay open until a checkpoint happens to be saved.
   */
  public void reportFailed(IOException e) {
    report(e); // Before the probe, which ends it.
    lock.lock();
    try {
      notes.put(PROBE, probe);
      retryLater(MIN_RETRY_MILLIS);
    } finally {
      lock.unlock();
    }
  }

  /** Reports trouble with the state directory, for which no bytes are at risk. */
  private void report(Exception e) {
    problems.reportHarmless(
        subject, String.valueOf(e.getMessage()), Optional.of(STATE_HINT), false);
  }

  /** Saves the stream's checkpoint; returns when it is durable, or that has failed. */
  public void save(StreamProgress stream) {
    saveAll(List.of(stream));
  }

  /** Saves the streams' checkpoints; returns when they are durable, or that has failed. */
  public void saveAll(Collection<StreamProgress> streams) {
    write(streams, false, Map.of());
  }

  /**
   * Writes a note; returns when it is durable, or that has failed. Then it is written with the next
   * checkpoint, or periodically tried again.
   *
   * @param about what it is about: it replaces an earlier one about the same
   * @return whether everything is saved
   */
  public boolean note(String about, Note note) {
    return write(List.of(), false, Map.of(about, note));
  }

  /** Saves the stream's checkpoint within half a second or with the next one; returns at once. */
  public void saveSoon(StreamProgress stream) {
    saveWithin(stream, SOON_MILLIS);
  }

  /**
   * Does the same within two seconds, for what the next run can find out again: then it costs no
   * write of its own where files grow.
   */
  public void saveWithNext(StreamProgress stream) {
    saveWithin(stream, WITH_NEXT_MILLIS);
  }

  private void saveWithin(StreamProgress stream, long millis) {
    lock.lock();
    try {
      if (!stream.hasLeft()) {
        pending.putIfAbsent(stream.id(), new Change(stream, false));
        retryLater(millis);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether everything is saved that was asked for. */
  public boolean isSaved() {
    lock.lock();
    try {
      return nothingIsPending() && !writing;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether nothing that was asked for about the stream is still to be written. */
  public boolean isSaved(StreamProgress stream) {
    lock.lock();
    try {
      return !beingWritten.containsKey(stream.id()) && !pending.containsKey(stream.id());
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the last attempt to write has failed, so that another one may take long. */
  public boolean isFailing() {
    lock.lock();
    try {
      return failing;
    } finally {
      lock.unlock();
    }
  }

  /** Removes the streams' checkpoints; returns when that is durable, or has failed. */
  public void forgetAll(Collection<StreamProgress> streams) {
    write(streams, true, Map.of());
  }

  /**
   * Tries once more to save what is not saved, and ends periodic attempts.
   *
   * @return whether everything is saved
   */
  public boolean end() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return writePending();
  }

  @GuardedBy("lock")
  private boolean nothingIsPending() {
    return pending.isEmpty() && notes.isEmpty();
  }

  private boolean writePending() {
    return write(List.of(), false, Map.of());
  }

  /**
   * Writes changes of streams; returns whether everything is saved that was asked for by then.
   *
   * @param forgets whether their checkpoints are to be removed
   */
  private boolean write(
      Collection<StreamProgress> streams, boolean forgets, Map<String, Note> newNotes) {
    lock.lock();
    try {
      for (StreamProgress stream : streams) {
        // What is saved late of one that left memory must not replace what its successor saves.
        if (forgets || !stream.hasLeft()) {
          pending.put(stream.id(), new Change(stream, forgets));
        }
      }
      notes.putAll(newNotes);
      if (nothingIsPending() && !writing) {
        return true;
      }
      long ticket = ++asked;
      while (answered - ticket < 0) {
        if (writing) {
          changed.awaitUninterruptibly();
        } else {
          writeForAll();
        }
      }
      return nothingIsPending() && !writing;
    } finally {
      lock.unlock();
    }
  }

  /** Writes what is pending, for all that wait, without the lock while the store works. */
  @GuardedBy("lock")
  private void writeForAll() {
    writing = true;
    long upTo = asked;
    Map<StreamId, Change> unsaved = pending;
    pending = new LinkedHashMap<>();
    beingWritten = Map.copyOf(unsaved);
    Map<String, Note> unwritten = notes;
    notes = new LinkedHashMap<>();
    lock.unlock();
    try {
      tryToWrite(unsaved, unwritten);
    } finally {
      lock.lock();
      writing = false;
      beingWritten = Map.of();
      failing = !unsaved.isEmpty() || !unwritten.isEmpty();
      answered = upTo;
      // What was asked for meanwhile is newer.
      unsaved.forEach(pending::putIfAbsent);
      unwritten.forEach(notes::putIfAbsent);
      changed.signalAll();
      if (!nothingIsPending()) {
        retryLater(failing ? MIN_RETRY_MILLIS : WITH_NEXT_MILLIS);
      }
    }
  }

  /** Writes changes, and removes those from the map that are saved. */
  private void tryToWrite(Map<StreamId, Change> unsaved, Map<String, Note> unwritten) {
    try {
      while (!unsaved.isEmpty()) {
        List<Change> some = unsaved.values().stream().limit(CHANGES_AT_ONCE).toList();
        int written = write(some);
        some.subList(0, written).forEach(change -> unsaved.remove(change.stream().id()));
      }
      for (Map.Entry<String, Note> note : List.copyOf(unwritten.entrySet())) {
        note.getValue().write();
        unwritten.remove(note.getKey());
      }
      problems.resolved(subject);
    } catch (IOException | RuntimeException e) {
      report(e);
    } catch (Error e) {
      report(new IOException("saving has failed: " + e, e));
    }
  }

  /**
   * Writes the first of these changes, as many as fit into memory together.
   *
   * @return how many that is, of one or more
   */
  private int write(List<Change> changes) throws IOException {
    List<Checkpoint> checkpoints = new ArrayList<>(changes.size());
    Map<StreamId, Map<Integer, byte[]>> blockSums = new HashMap<>();
    List<FileTable.Forgotten> forgotten = new ArrayList<>();
    int written = 0;
    long chunkCount = 0;
    boolean saved = false;
    try {
      while (written < changes.size() && chunkCount < CHUNKS_AT_ONCE) {
        Change change = changes.get(written++);
        StreamProgress stream = change.stream();
        if (change.forgets()) {
          chunkCount += BlockSums.chunks(stream.durableBytes());
          forgotten.add(new FileTable.Forgotten(stream.identity(), stream.id()));
        } else if (!stream.hasLeft()) {
          Checkpoint checkpoint = stream.checkpoint();
          checkpoints.add(checkpoint);
          var unsavedSums = stream.blocks().takeUnsaved(checkpoint.durable().bytes());
          chunkCount += unsavedSums.size();
          blockSums.put(stream.id(), unsavedSums);
        }
      }
      rows.change(checkpoints, blockSums, forgotten);
      saved = true;
    } finally {
      if (!saved) { // Also if something fails before anything is written.
        for (Change change : changes) {
          Map<Integer, byte[]> taken = blockSums.getOrDefault(change.stream().id(), Map.of());
          taken.keySet().forEach(change.stream().blocks()::notSaved);
        }
      }
    }
    return written;
  }

  @GuardedBy("lock")
  private void retryLater(long millis) {
    long atNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    if (retrying) {
      if (!failing && atNanos - dueNanos < 0) {
        dueNanos = atNanos;
        changed.signalAll();
      }
    } else if (!closed) {
      dueNanos = atNanos;
      Thread.ofVirtual().name("save-again").start(this::retry);
      retrying = true; // Only if there is a thread, which waits for the lock now.
    }
  }

  private void retry() {
    boolean ended = false;
    try {
      long pauseMillis = MIN_RETRY_MILLIS;
      while (pause()) {
        writePending();
        pauseMillis = pauseAfterWriting(pauseMillis);
      }
      ended = true;
    } finally {
      if (!ended) {
        retryNoMore();
      }
    }
  }

  /** Returns the pause after a failure, which grows; what came meanwhile is due as it was asked. */
  private long pauseAfterWriting(long beforeMillis) {
    lock.lock();
    try {
      if (!failing) {
        return MIN_RETRY_MILLIS;
      }
      long pauseMillis = Math.min(MAX_RETRY_MILLIS, beforeMillis * 2);
      dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
      return pauseMillis;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the next failure begin to retry again. */
  private void retryNoMore() {
    lock.lock();
    try {
      retrying = false;
    } finally {
      lock.unlock();
    }
  }

  /** Pauses; returns whether there is still something to be saved then. */
  private boolean pause() {
    lock.lock();
    try {
      long leftNanos = dueNanos - System.nanoTime();
      while (leftNanos > 0 && !closed && !nothingIsPending()) {
        var _ = changed.awaitNanos(leftNanos);
        leftNanos = dueNanos - System.nanoTime();
      }
      retrying = !closed && (!nothingIsPending() || writing);
      // What comes while this is being written may be due before that.
      dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WITH_NEXT_MILLIS);
      return retrying;
    } catch (InterruptedException e) {
      retrying = false;
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
