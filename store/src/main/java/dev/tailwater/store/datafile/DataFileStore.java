package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Change;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Unwinding;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.index.KeyHash;
import dev.tailwater.store.index.SipHash;
import dev.tailwater.store.segment.RecordData;
import dev.tailwater.store.segment.SegmentHeader.StoreIdentity;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A store whose values lie in append-only files, which are log and data at once, and whose index is
 * in memory outside the Java heap, about 20 bytes for each key. See "Data-file mode" in
 * docs/store-format.md.
 *
 * <p>System calls of a get: one pread(2). Of a put: one pwrite(2) and one fdatasync(2), shared by
 * all writes that waited together; none of them without durability, where a buffer is written when
 * it is full or 10 ms old. A put of a key that is there also reads that key's old record, to be
 * sure that it is this key's.
 *
 * <p>The space of records that were overwritten or removed is not given back yet: the files only
 * grow. For data that is written much more than once, {@link
 * dev.tailwater.store.log.TransactionLogStore} is the right one.
 *
 * <pre>{@code
 * try (KeyValueStore store =
 *     DataFileStore.open(LinuxFileCalls.create(), directory, DataFileOptions.defaults())) {
 *   store.put(key, value);
 * }
 * }</pre>
 */
public final class DataFileStore implements KeyValueStore {
  private final StoreDirectory directory;
  private final DirectoryLock lock;
  private final StoreParts parts;
  private final Durability durability;
  private final InstantSource clock;
  private final ReaderGate gate;
  private final ReadBufferPool buffers = new ReadBufferPool();
  private final AtomicBoolean closed = new AtomicBoolean();

  private DataFileStore(
      StoreDirectory directory, DirectoryLock lock, StoreParts parts, DataFileOptions options) {
    this.directory = directory;
    this.lock = lock;
    this.parts = parts;
    this.durability = options.durability();
    this.clock = options.clock();
    this.gate = new ReaderGate("store " + directory.path());
  }

  /**
   * Opens the store in this directory; makes directory and store where there is none.
   *
   * @throws StoreLockedException when somebody has it open
   * @throws DamagedStoreException when a file is not as it was written; nothing was changed
   * @throws UnsupportedStoreFormatException when a newer program wrote it
   * @throws StoreUnavailableException when the directory cannot be used
   */
  public static DataFileStore open(FileCalls calls, PosixPath directory, DataFileOptions options)
      throws IOException {
    return open(
        calls, directory, options, store -> new SipHash(store.hashKey0(), store.hashKey1()));
  }

  static DataFileStore open(
      FileCalls calls,
      PosixPath directory,
      DataFileOptions options,
      Function<StoreIdentity, KeyHash> hashing)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      StoreDirectory opened = unwinding.add(StoreDirectory.openOrCreate(calls, directory));
      DirectoryLock lock = unwinding.add(DirectoryLock.take(opened));
      StoreParts parts = StoreParts.open(opened, options, hashing);
      DataFileStore store = new DataFileStore(opened, lock, parts, options);
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
  public Optional<byte[]> get(byte[] key) throws IOException {
    return read(key, buffer -> buffer.bytes().value(0, buffer.header()));
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return read(
        key, buffer -> buffer.bytes().data(0, buffer.header()).toEntry(buffer.header().sequence()));
  }

  private <T> Optional<T> read(byte[] key, Function<ReadBuffer, T> result) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      if (!parts.lookup().find(key, buffer) || isExpired(buffer)) {
        return Optional.empty();
      }
      return Optional.of(result.apply(buffer));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }

  private boolean isExpired(ReadBuffer buffer) {
    long expiresAtMillis = buffer.bytes().expiresAtMillis(0, buffer.header());
    return expiresAtMillis != 0 && expiresAtMillis <= clock.millis();
  }

  @Override
  public long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    RecordData data = putOf(key, value, options);
    return write(List.of(new Wanted(key, (current, sequence) -> data)), false, options);
  }

  @Override
  public OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Decider decider = (current, sequence) -> decide(key, current, sequence, update, options);
    long version = write(List.of(new Wanted(key, decider)), true, options);
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  private @Nullable RecordData decide(
      byte[] key, @Nullable RecordData found, long sequence, Update update, WriteOptions options) {
    RecordData current = found == null || found.isExpired(clock.millis()) ? null : found;
    Optional<Entry> entry =
        current == null ? Optional.empty() : Optional.of(current.toEntry(sequence));
    return switch (update.decide(entry)) {
      case Update.Decision.Put(byte[] value) -> putOf(key, checked(value), options);
      case Update.Decision.Replace(byte[] value) ->
          current == null
              ? putOf(key, checked(value), options)
              : replacing(current, checked(value), options);
      case Update.Decision.Remove() -> current == null ? null : RecordData.remove(key);
      case Update.Decision.Keep() -> null;
    };
  }

  private static byte[] checked(byte[] value) {
    Limits.checkValue(value);
    return value;
  }

  private RecordData replacing(RecordData current, byte[] value, WriteOptions options) {
    RecordData put = putOf(current.key(), value, options);
    return new RecordData(
        false,
        current.key(),
        value,
        options.timeToLive().isPresent() ? put.expiresAtMillis() : current.expiresAtMillis(),
        options.tags().isEmpty() ? current.tags() : put.tags());
  }

  private RecordData putOf(byte[] key, byte[] value, WriteOptions options) {
    OptionalLong expiry =
        options
            .timeToLive()
            .map(time -> OptionalLong.of(Math.addExact(clock.millis(), time.toMillis())))
            .orElse(OptionalLong.empty());
    return RecordData.put(key, value, expiry, options.tags());
  }

  @Override
  public void apply(WriteBatch batch, WriteOptions options) throws IOException {
    List<Wanted> wanted =
        batch.changes().stream()
            .map(
                change -> {
                  RecordData data = recordOf(change);
                  return new Wanted(change.key(), (current, sequence) -> data);
                })
            .toList();
    if (wanted.isEmpty()) {
      gate.exit(gate.enter()); // says that the store is closed
    } else {
      write(wanted, false, options);
    }
  }

  private RecordData recordOf(Change change) {
    return change
        .value()
        .map(value -> putOf(change.key(), value, change.options()))
        .orElseGet(() -> RecordData.remove(change.key()));
  }

  /** A key to be changed, and how. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Wanted(byte[] key, Decider decider) {}

  private long write(List<Wanted> wanted, boolean needsCurrent, WriteOptions options)
      throws IOException {
    Writer.Appended appended = append(wanted, needsCurrent, options);
    CompletableFuture<Optional<Throwable>> durable = appended.durable();
    if (durable != null) {
      Optional<Throwable> failed = durable.join();
      if (failed.isPresent()) {
        // Each writer throws an exception of its own: theirs are the stack traces.
        throw new StoreFailedException(directory.path(), failed.get());
      }
    }
    return appended.sequence();
  }

  private Writer.Appended append(List<Wanted> wanted, boolean needsCurrent, WriteOptions options)
      throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      while (true) {
        List<Writer.Planned> planned = new ArrayList<>(wanted.size());
        for (Wanted change : wanted) {
          KeyState state =
              parts
                  .lookup()
                  .state(change.key(), parts.lookup().hash(change.key()), needsCurrent, buffer);
          planned.add(new Writer.Planned(state, change.decider()));
        }
        Writer.Appended appended =
            parts.writer().append(planned, options.durability().orElse(durability));
        if (appended != null) {
          return appended;
        }
      }
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }

  /** False: the index is by hash. */
  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    byte[] prefix = keyPrefix.clone();
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      int next = 0;
      long[] slots = locked(partition);
      while (next < slots.length) {
        Optional<Entry> entry = entryAt(slots[next], slots[next + 1], prefix);
        entry.ifPresent(found -> action.accept(found.key(), found.value()));
        next += 2;
      }
    }
  }

  /** Hashes and locations of a partition, in turns. */
  private long[] locked(int partition) {
    int inside = gate.enter();
    try {
      LongStream.Builder slots = LongStream.builder();
      parts.index().forEach(partition, (hash, location) -> slots.add(hash).add(location));
      return slots.build().toArray();
    } finally {
      gate.exit(inside);
    }
  }

  private Optional<Entry> entryAt(long hash, long location, byte[] prefix) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      boolean wanted = parts.lookup().fetch(hash, location, buffer) && !isExpired(buffer);
      if (!wanted || !buffer.bytes().keyStartsWith(0, buffer.header(), prefix)) {
        return Optional.empty();
      }
      RecordData data = buffer.bytes().data(0, buffer.header());
      return Optional.of(data.toEntry(buffer.header().sequence()));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
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
   * Waits for calls under way, makes everything durable, whatever its durability, and keeps the
   * index, so that the next opening is quick.
   *
   * @throws StoreFailedException when the store had failed before, so that nobody who only looks at
   *     the closing takes it for well
   */
  @Override
  public void close() throws IOException {
    if (closed.getAndSet(true)) {
      return;
    }
    gate.close();
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(directory);
      unwinding.add(lock);
      parts.close();
    }
  }
}
