package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.AsyncKeyValueStore;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.common.ExecutorAsyncStore;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.datafile.read.ReadSide;
import dev.tailwater.store.datafile.read.ReaderGate;
import dev.tailwater.store.datafile.read.Snapshots;
import dev.tailwater.store.datafile.vacuum.VacuumOptions;
import dev.tailwater.store.datafile.vacuum.VacuumProgress;
import dev.tailwater.store.datafile.vacuum.VacuumResult;
import dev.tailwater.store.datafile.write.WriteSide;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store whose values lie in append-only files, which are log and data at once, and whose index is
 * in memory outside the Java heap, about 20 bytes for each key. See "Data-file mode" in
 * docs/store-format.md.
 *
 * <p>A get takes no system call where the record is in the page cache or in the store's own cache
 * of hot values, else one pread(2); see {@link ReadOptions}. A put takes one pwrite(2) and one
 * fdatasync(2), shared by all writes that wait together; without durability it takes neither, and a
 * buffer is written when it is full or 10 ms old. A put of an existing key also reads that key's
 * old record, to compare the keys.
 *
 * <p>The space of records that were overwritten or removed, or have expired, is reclaimed in the
 * background; {@link VacuumOptions} bounds the length of the files and the rate of the work.
 *
 * <pre>{@code
 * try (KeyValueStore store = DataFileStore.open(Path.of("/var/lib/app/store"))) {
 *   store.put(key, value);
 * }
 * }</pre>
 */
public final class DataFileStore implements KeyValueStore {
  private final StoreDirectory directory;
  private final DirectoryLock lock;
  private final StoreAssembly parts;
  private final ReaderGate gate;
  private final Snapshots snapshots;
  private final ReadSide reads;
  private final WriteSide writes;
  private final ExpirySweep sweep;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Held while closing, so that a second caller waits until the directory is released. */
  private final ReentrantLock closing = new ReentrantLock();

  private DataFileStore(StoreDirectory directory, DirectoryLock lock, StoreAssembly parts) {
    this.directory = directory;
    this.lock = lock;
    this.parts = parts;
    this.gate = parts.gate();
    this.snapshots = parts.snapshots();
    this.reads = parts.reads();
    this.writes = parts.writes();
    this.sweep = parts.expirySweep();
  }

  /** Opens the store in this directory with default options; makes both where there is none. */
  public static DataFileStore open(Path directory) throws IOException {
    return open(directory, DataFileOptions.defaults());
  }

  /** As {@link #open(FileCalls, PosixPath, DataFileOptions)}, over the system's own calls. */
  public static DataFileStore open(Path directory, DataFileOptions options) throws IOException {
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
  public static DataFileStore open(FileCalls calls, PosixPath directory, DataFileOptions options)
      throws IOException {
    return open(
        calls, directory, options, store -> new SipHash(store.hashKey0(), store.hashKey1()));
  }

  /** Opens with another hash; for tests. */
  public static DataFileStore open(
      FileCalls calls,
      PosixPath directory,
      DataFileOptions options,
      Function<StoreIdentity, KeyHash> hashing)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      StoreDirectory opened = unwinding.add(StoreDirectory.openOrCreate(calls, directory));
      DirectoryLock lock = unwinding.add(DirectoryLock.take(opened));
      StoreAssembly parts = StoreAssembly.open(opened, options, hashing);
      DataFileStore store = new DataFileStore(opened, lock, parts);
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
   * Returns what somebody has removed of the open store, or replaced: its directory, a data file,
   * or else its lock. Not to be asked of a closed store.
   */
  public Optional<PosixPath> removed() throws ErrnoException {
    if (!directory.isInPlace()) {
      return Optional.of(directory.path());
    }
    Optional<PosixPath> file = parts.removedFile();
    if (file.isPresent()) {
      return file;
    }
    return lock.isInPlace() ? Optional.empty() : Optional.of(directory.pathOf(DirectoryLock.NAME));
  }

  @Override
  public Optional<byte[]> get(byte[] key) throws IOException {
    return reads.get(key);
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return reads.find(key);
  }

  /** Keeps the disk busy with several reads at once. */
  @Override
  public List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    return reads.getAll(keys);
  }

  @Override
  public long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    long version = writes.put(key, value, options);
    sweep.wake();
    return version;
  }

  @Override
  public void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException {
    writes.putAll(puts, options);
    sweep.wake();
  }

  @Override
  public OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    OptionalLong version = writes.update(key, update, options);
    sweep.wake();
    return version;
  }

  @Override
  public void apply(WriteBatch batch, WriteOptions options) throws IOException {
    writes.apply(batch, options);
    sweep.wake();
  }

  /** Returns false: the index is by hash. */
  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public StoreSnapshot snapshot() {
    return snapshots.take();
  }

  /**
   * Returns the partition of the index: the highest bits of the hash, whose secret is the store's.
   */
  @Override
  public int slotOf(byte[] key) {
    return Index.partitionOf(parts.hash(key));
  }

  @Override
  public SortedMap<String, Long> tags() {
    int inside = gate.enter();
    try {
      SortedMap<String, Long> tags = new TreeMap<>();
      parts
          .tagIndex()
          .counts(IndexTags.firstUserTag(), IndexTags.behindUserTags())
          .forEach((indexTag, count) -> tags.put(IndexTags.userTag(indexTag), count));
      return tags;
    } finally {
      gate.exit(inside);
    }
  }

  @Override
  public long purgeExpired(long limit, Consumer<Entry> action) throws IOException {
    return sweep.purge(limit, action);
  }

  @Override
  public AsyncKeyValueStore async(Executor executor) {
    AsyncKeyValueStore onExecutor = new ExecutorAsyncStore(this, executor);
    return new AsyncDataFileStore(onExecutor, reads, writes, executor);
  }

  @Override
  public StoreStatistics statistics() {
    int inside = gate.enter();
    try {
      return parts.statistics();
    } finally {
      gate.exit(inside);
    }
  }

  /**
   * Reclaims the space of all records that are dead now, in the calling thread and at full speed;
   * others read and write meanwhile. Needs space for one more data file.
   *
   * @throws StoreWriteException when there is no space, or a file cannot be written; what was
   *     reclaimed before stays reclaimed
   */
  public VacuumResult vacuum() throws IOException {
    return vacuum((doneBytes, totalBytes) -> {});
  }

  /** As {@link #vacuum()}, with progress reports. */
  public VacuumResult vacuum(VacuumProgress progress) throws IOException {
    gate.exit(gate.enter()); // says that the store is closed
    return parts.vacuum().all(progress);
  }

  /**
   * Waits for calls in progress, makes every write durable, whatever its durability, and writes an
   * index checkpoint, so that the next opening is quick.
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
    gate.close();
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(directory);
      unwinding.add(lock);
      unwinding.add(parts);
      snapshots.endAll();
    }
  }
}
