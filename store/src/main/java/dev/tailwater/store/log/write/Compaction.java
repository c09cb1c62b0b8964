package dev.tailwater.store.log.write;

import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.map.PersistentMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Compaction of the logs: when they have grown, switches to a new log and writes a snapshot of the
 * map, which replaces the older logs. Writers go on meanwhile; a failure costs only space and is
 * counted.
 */
public final class Compaction {
  private final StoreDirectory directory;
  private final LogSequence logs;
  private final Settings settings;
  private volatile CompletableFuture<Void> running = CompletableFuture.completedFuture(null);
  private volatile State state;

  /**
   * When logs are compacted, and where.
   *
   * @param aboveBytes logs shorter than this are never compacted
   * @param ratio logs are compacted when they are this many times as long as what is live
   * @param executor runs the writing of snapshots
   */
  public record Settings(long aboveBytes, int ratio, Executor executor) {}

  /**
   * Statistics, and when to try again.
   *
   * @param retryAboveBytes log length below which no attempt is made, after one failed
   */
  private record State(
      long snapshotBytes,
      long completed,
      long failures,
      Optional<String> lastFailure,
      long retryAboveBytes) {}

  public Compaction(
      StoreDirectory directory, LogSequence logs, Settings settings, long snapshotBytes) {
    this.directory = directory;
    this.logs = logs;
    this.settings = settings;
    this.state = new State(snapshotBytes, 0, 0, Optional.empty(), 0);
  }

  public long snapshotBytes() {
    return state.snapshotBytes();
  }

  public long completed() {
    return state.completed();
  }

  public long failures() {
    return state.failures();
  }

  public Optional<String> lastFailure() {
    return state.lastFailure();
  }

  /** Returns whether the logs have grown enough for a compaction to pay. */
  boolean isDue(PersistentMap map) {
    long wanted = Math.max(settings.aboveBytes(), settings.ratio() * map.liveBytes());
    return logs.totalBytes() > Math.max(wanted, state.retryAboveBytes()) && running.isDone();
  }

  /** Starts a compaction that is due. Called by the thread that appends. */
  void begin(PersistentMap map) throws StoreException {
    LogSequence.Sealed sealed;
    try {
      sealed = logs.rotate();
    } catch (StoreWriteException notRotated) {
      failed(notRotated);
      return;
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    running = done;
    try {
      settings.executor().execute(() -> run(sealed, map, done));
    } catch (RuntimeException | Error rejected) { // no thread can be made, for example
      failed(rejected);
      done.complete(null);
    }
  }

  /** Waits until no compaction is running. */
  public void awaitIdle() {
    running.join();
  }

  private void run(LogSequence.Sealed sealed, PersistentMap map, CompletableFuture<Void> done) {
    try {
      long snapshotBytes = SnapshotWriter.write(directory, sealed.snapshotHeader(), map);
      logs.replaced(sealed);
      State old = state;
      state = new State(snapshotBytes, old.completed() + 1, old.failures(), old.lastFailure(), 0);
      ObsoleteFiles.delete(directory);
    } catch (Throwable failed) {
      // An Error too: there is no caller to throw it to, and writers must not wait forever.
      failed(failed);
    } finally {
      done.complete(null);
    }
  }

  private void failed(Throwable cause) {
    State old = state;
    state =
        new State(
            old.snapshotBytes(),
            old.completed(),
            old.failures() + 1,
            Optional.of(cause.toString()),
            logs.totalBytes() + Math.max(settings.aboveBytes(), logs.totalBytes() / 4));
  }
}
