package dev.tailwater.store.log;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.AsyncKeyValueStore;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.Limits;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.Update;
import dev.tailwater.store.VacuumStatistics;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.common.BatchedPuts;
import dev.tailwater.store.common.ExecutorAsyncStore;
import dev.tailwater.store.common.OpenSnapshots;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.LogSnapshot;
import dev.tailwater.store.log.map.PersistentMap;
import dev.tailwater.store.log.recovery.FilePlan;
import dev.tailwater.store.log.recovery.StoreContents;
import dev.tailwater.store.log.write.Compaction;
import dev.tailwater.store.log.write.GroupCommitter;
import dev.tailwater.store.log.write.LogSequence;
import dev.tailwater.store.log.write.LogSink;
import dev.tailwater.store.log.write.LogWrite;
import dev.tailwater.store.log.write.ObsoleteFiles;
import dev.tailwater.store.log.write.OperationMaker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store whose keys and values all live in memory, and whose changes are appended to a log.
 * Opening replays snapshot and log. See docs/store-format.md.
 *
 * <p>A put takes one pwrite(2) and one fdatasync(2), shared by all writes that wait together.
 * Writes for which nobody waits share theirs with all writes within {@link
 * StoreOptions#writeWithin()}. A get takes no system call.
 */
public final class TransactionLogStore implements KeyValueStore {
  /** Most removals in one write of a purge. */
  private static final int PURGED_AT_ONCE = 1024;

  private final StoreDirectory directory;
  private final DirectoryLock lock;
  private final LogSequence logs;
  private final Compaction compaction;
  private final LogSink sink;
  private final GroupCommitter committer;
  private final InstantSource clock;
  private final OperationMaker maker;
  private final long cutBytes;
  private final boolean wasClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Held while closing, so that a second caller waits until the directory is released. */
  private final ReentrantLock closing = new ReentrantLock();

  private final OpenSnapshots<LogSnapshot> snapshots;

  private TransactionLogStore(
      StoreDirectory directory,
      DirectoryLock lock,
      LogSequence logs,
      StoreContents contents,
      StoreOptions options) {
    this.directory = directory;
    this.lock = lock;
    this.logs = logs;
    this.clock = options.clock();
    this.maker = new OperationMaker(clock);
    this.snapshots = new OpenSnapshots<>(clock, LogSnapshot::takenAtMillis);
    this.cutBytes = contents.logEnd().map(StoreContents.LogEnd::tornBytes).orElse(0L);
    this.wasClosed = contents.logEnd().map(end -> end.extent().isSealed()).orElse(true);
    Compaction.Settings settings =
        new Compaction.Settings(
            options.compactAboveBytes(), options.compactRatio(), options.compactor());
    this.compaction = new Compaction(directory, logs, settings, contents.snapshotBytes());
    this.sink = new LogSink(logs, compaction, clock, contents.map());
    this.committer = GroupCommitter.start(directory.path(), sink, options.writeWithin());
  }

  /** Opens the store in this directory with default options; makes both where there is none. */
  public static TransactionLogStore open(Path directory) throws IOException {
    return open(directory, StoreOptions.defaults());
  }

  /** As {@link #open(FileCalls, PosixPath, StoreOptions)}, over the system's own calls. */
  public static TransactionLogStore open(Path directory, StoreOptions options) throws IOException {
    return open(LinuxFileCalls.create(), PosixPath.of(directory.toAbsolutePath()), options);
  }

  /**
   * Opens the store in this directory; creates directory and store where there is none.
   *
   * @throws StoreLockedException when somebody has it open
   * @throws DamagedStoreException when a file is damaged; nothing was changed
   * @throws UnsupportedStoreFormatException when a newer program wrote it
   * @throws StoreUnavailableException when the directory cannot be used
   */
  public static TransactionLogStore open(FileCalls calls, PosixPath directory, StoreOptions options)
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

  /**
   * Returns whether the newest log ended with a seal when the store was opened, as closing leaves
   * it. If not, its last user was killed, or the end of the log is missing.
   */
  public boolean wasClosed() {
    return wasClosed;
  }

  /**
   * Returns whether the path of the store still leads to the directory that was opened, and not to
   * nothing or to another one. Not to be asked of a closed store.
   */
  public boolean isInPlace() throws ErrnoException {
    return directory.isInPlace() && lock.isInPlace();
  }

  /**
   * Returns what somebody has removed of the open store, or replaced: its directory, the log that
   * it appends to, or else its lock. Not to be asked of a closed store.
   */
  public Optional<PosixPath> removed() throws ErrnoException {
    if (!directory.isInPlace()) {
      return Optional.of(directory.path());
    }
    Optional<PosixPath> log = logs.removed();
    if (log.isPresent()) {
      return log.map(directory::pathOf);
    }
    return lock.isInPlace() ? Optional.empty() : Optional.of(directory.pathOf(DirectoryLock.NAME));
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return maker.current(map(), key).map(put -> put.value().clone());
  }

  @Override
  public Optional<Entry> find(byte[] key) {
    return maker.current(map(), key).map(Operation::toEntry);
  }

  @Override
  public long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    Operation put = maker.putOf(key.clone(), value.clone(), options);
    return write(new LogWrite(put.encodedBytes(), waits(options), map -> List.of(put)));
  }

  @Override
  public OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    byte[] copy = key.clone();
    long version =
        write(
            new LogWrite(
                key.length,
                waits(options),
                map -> maker.decide(maker.current(map, copy), copy, update, options)));
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  @Override
  public void apply(WriteBatch batch, WriteOptions options) throws IOException {
    checkOpen();
    if (batch.size() > 0) {
      List<Operation> operations = maker.of(batch);
      write(new LogWrite(batch.sizeBytes(), waits(options), map -> operations));
    }
  }

  /** The store's own durability is that of a group. */
  private static boolean waits(WriteOptions options) {
    return options.durability().orElse(Durability.GROUP) instanceof Durability.Group;
  }

  private long write(LogWrite write) throws StoreException {
    checkOpen();
    committer.write(write);
    return write.version();
  }

  @Override
  public void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException {
    BatchedPuts.putAll(this, puts.iterator(), options);
  }

  @Override
  public AsyncKeyValueStore async(Executor executor) {
    return new ExecutorAsyncStore(this, executor);
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public StoreSnapshot snapshot() {
    LogSnapshot snapshot = new LogSnapshot(map(), clock.millis(), closed::get, snapshots);
    snapshots.add(snapshot);
    return snapshot;
  }

  @Override
  public SortedMap<String, Long> tags() {
    return map().tags();
  }

  @Override
  public long purgeExpired(long limit, Consumer<Entry> action) throws IOException {
    sink.purging().incrementAndGet(); // so that all of it goes by here
    try {
      return purge(limit, action);
    } finally {
      sink.purging().decrementAndGet();
    }
  }

  private long purge(long limit, Consumer<Entry> action) throws IOException {
    long removed = 0;
    while (removed < limit) {
      int atMost = (int) Math.min(limit - removed, PURGED_AT_ONCE);
      List<Entry> entries = new ArrayList<>();
      write(new LogWrite(0, true, map -> removalsOfExpired(map, atMost, entries)));
      entries.forEach(action);
      removed += entries.size();
      if (entries.size() < atMost) {
        break;
      }
    }
    return removed;
  }

  /** May be called again; then only the last result counts. */
  private List<Operation> removalsOfExpired(PersistentMap map, int limit, List<Entry> entries) {
    List<Operation> removals = map.removalsOfExpired(clock.millis(), limit);
    entries.clear();
    for (Operation removal : removals) {
      map.find(removal.key()).map(Operation::toEntry).ifPresent(entries::add);
    }
    return removals;
  }

  @Override
  public int slotOf(byte[] key) {
    return LogSnapshot.slotOf(key);
  }

  @Override
  public StoreStatistics statistics() {
    checkOpen();
    LogSink.Committed now = sink.committed();
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
        cutBytes,
        ReadStatistics.NONE,
        snapshots.statistics(),
        VacuumStatistics.NONE);
  }

  /**
   * Writes a snapshot of the current contents, which replaces the logs however short they are.
   * Writers go on meanwhile. When it fails, the store keeps its logs, and reports it in {@link
   * StoreStatistics#lastCompactionFailure()}.
   *
   * @return whether it was written
   */
  public boolean compact() throws IOException {
    checkOpen();
    long before = compaction.completed();
    compaction.awaitIdle();
    sink.wantCompaction();
    // The first makes the committer look, and the second returns when it has.
    committer.write(new LogWrite(0, true, map -> List.of()));
    committer.write(new LogWrite(0, true, map -> List.of()));
    compaction.awaitIdle();
    return compaction.completed() > before;
  }

  /**
   * Waits for writes and compaction in progress, seals the log and releases the directory.
   *
   * @throws StoreFailedException when the store had failed before, so that a caller that only
   *     checks the closing notices
   */
  @Override
  public void close() throws IOException {
    closing.lock();
    try {
      if (!closed.getAndSet(true)) {
        release();
      }
    } finally {
      closing.unlock();
    }
  }

  private void release() throws IOException {
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
    return sink.committed().map();
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("store " + directory.path() + " is closed");
    }
  }
}
