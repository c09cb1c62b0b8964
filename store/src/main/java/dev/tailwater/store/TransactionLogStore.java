package dev.tailwater.store;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A store whose keys and values all live in memory, and whose changes are appended to a log.
 * Opening replays snapshot and log. See docs/store-format.md.
 *
 * <p>System calls of a put: one pwrite(2) and one fdatasync(2), shared by all writes that waited
 * together. A get makes none.
 */
public final class TransactionLogStore implements KeyValueStore {
  private final StoreDirectory directory;
  private final DirectoryLock lock;
  private final LogSequence logs;
  private final Compaction compaction;
  private final GroupCommitter committer;
  private final long cutBytes;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Committed committed;

  /** What readers see; replaced as a whole behind each group. */
  private record Committed(PersistentMap map, long writes, long commits) {}

  private TransactionLogStore(
      StoreDirectory directory,
      DirectoryLock lock,
      LogSequence logs,
      StoreContents contents,
      StoreOptions options) {
    this.directory = directory;
    this.lock = lock;
    this.logs = logs;
    this.cutBytes = contents.logEnd().map(StoreContents.LogEnd::tornBytes).orElse(0L);
    this.committed = new Committed(contents.map(), 0, 0);
    this.compaction = new Compaction(directory, logs, options, contents.snapshotBytes());
    this.committer = GroupCommitter.start(directory.path(), new LogSink());
  }

  /**
   * Opens the store in this directory; makes directory and store where there is none.
   *
   * @throws StoreLockedException when somebody has it open
   * @throws DamagedStoreException when a file is not as it was written; nothing was changed
   * @throws UnsupportedStoreFormatException when a newer program wrote it
   * @throws StoreUnavailableException when the directory cannot be used
   */
  public static KeyValueStore open(FileCalls calls, PosixPath directory, StoreOptions options)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      StoreDirectory opened = unwinding.add(StoreDirectory.openOrCreate(calls, directory));
      DirectoryLock lock = unwinding.add(DirectoryLock.take(opened));
      StoreContents contents = StoreContents.read(opened, FilePlan.of(opened));
      ObsoleteFiles.deleteAtOpen(opened, contents.plan());
      LogSequence logs = unwinding.add(LogSequence.open(opened, contents, options.random()));
      TransactionLogStore store = new TransactionLogStore(opened, lock, logs, contents, options);
      unwinding.keepAll();
      return store;
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(directory, failed);
    } catch (StoreWriteException | StoreFailedException failed) {
      if (failed.getCause() instanceof ErrnoException errno) {
        throw new StoreUnavailableException(directory, errno);
      }
      throw failed;
    }
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return map().find(key).map(byte[]::clone);
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    apply(new WriteBatch().put(key, value));
  }

  @Override
  public void remove(byte[] key) throws IOException {
    apply(new WriteBatch().remove(key));
  }

  @Override
  public void apply(WriteBatch batch) throws IOException {
    checkOpen();
    if (batch.size() > 0) {
      committer.write(batch.operations(), batch.sizeBytes());
    }
  }

  @Override
  public void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) {
    map().forEach(keyPrefix.clone(), put -> action.accept(put.key().clone(), put.value().clone()));
  }

  @Override
  public StoreStatistics statistics() {
    checkOpen();
    Committed now = committed;
    return new StoreStatistics(
        now.map().size(),
        now.map().liveBytes(),
        logs.totalBytes(),
        compaction.snapshotBytes(),
        now.writes(),
        now.commits(),
        compaction.completed(),
        compaction.failures(),
        compaction.lastFailure(),
        cutBytes);
  }

  /**
   * Waits for writes and compaction under way, seals the log and releases the directory.
   *
   * @throws StoreFailedException when the store had failed before, so that nobody who only looks at
   *     the closing takes it for well
   */
  @Override
  public void close() throws IOException {
    if (closed.getAndSet(true)) {
      return;
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(directory);
      unwinding.add(lock);
      unwinding.add(logs);
      committer.close();
      compaction.awaitIdle();
      @Nullable Throwable failure = committer.failure();
      if (failure != null) {
        throw new StoreFailedException(directory.path(), failure);
      }
      seal();
    }
  }

  private void seal() throws StoreException {
    try {
      logs.sealAtEnd();
    } catch (StoreWriteException noSpace) {
      // All writes are durable. A log without a seal is what a killed process leaves: as good, but
      // for damage to the last frame, which the next open cannot tell from a torn tail.
      return;
    }
  }

  private PersistentMap map() {
    checkOpen();
    return committed.map();
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("store " + directory.path() + " is closed");
    }
  }

  /** Runs in the committer's thread alone. */
  private final class LogSink implements GroupCommitter.Sink {
    @Override
    public void commit(List<Operation> operations, int writes) throws StoreException {
      logs.append(operations);
      Committed old = committed;
      committed =
          new Committed(old.map().after(operations), old.writes() + writes, old.commits() + 1);
    }

    @Override
    public void afterCommit() throws StoreException {
      compaction.beginIfDue(committed.map());
    }
  }
}
