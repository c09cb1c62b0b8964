package dev.tailwater.delivery.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Which name led to which file, of those that left memory and are not open: a store in a directory
 * of its own, which there is only while there are such files. The key is {@code name/} and a hash
 * of the name. Only the run that wrote a row reads it: the next one removes the files of the store,
 * and finds its own by a scan. So nothing waits until a row is on the disk. Should the store fail
 * before that, a file is found at its name as one that came back, and goes on in its stream.
 * Thread-safe.
 */
public final class NameTable implements AutoCloseable {
  /** How what only this run reads is written. */
  static final WriteOptions FOR_THIS_RUN = WriteOptions.defaults().withDurability(Durability.NONE);

  private static final byte[] PREFIX = CheckpointStore.ascii("name/");

  private final FileCalls calls;
  private final AgentState.TableOpening opening;

  /** Empty as long as no row was added. */
  @GuardedBy("this")
  private Optional<TableStore> opened = Optional.empty();

  @GuardedBy("this")
  private boolean closed;

  private NameTable(FileCalls calls, AgentState.TableOpening opening) {
    this.calls = calls;
    this.opening = opening;
  }

  /** Returns a table without rows; removes those of an earlier run. */
  static NameTable anew(FileCalls calls, AgentState.TableOpening opening) throws IOException {
    NameTable table = new NameTable(calls, opening);
    table.removeAll();
    return table;
  }

  private void removeAll() throws IOException {
    try (StoreDirectory directory = StoreDirectory.openExisting(calls, opening.directory())) {
      for (DirectoryEntry entry : directory.entries()) {
        directory.delete(entry.name());
      }
    } catch (StoreUnavailableException e) {
      if (!(e.getCause() instanceof ErrnoException cause) || cause.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  private synchronized Optional<TableStore> opened() {
    return opened;
  }

  private synchronized TableStore open() throws IOException {
    if (closed) {
      throw new IOException("the table of names is closed");
    }
    if (opened.isEmpty()) {
      opened = Optional.of(TableStore.open(opening));
    }
    return opened.get();
  }

  /**
   * A file that left memory.
   *
   * @param arrivalNanos when it came to its path
   */
  public record Named(FileIdentity identity, long arrivalNanos) {}

  /** Returns the file to which the name led. */
  public Optional<Named> find(long nameHash) throws IOException {
    Optional<TableStore> store = opened();
    if (store.isEmpty()) {
      return Optional.empty();
    }
    byte[] key = key(nameHash);
    return store.get().read(table -> table.get(key)).map(NameTable::decode);
  }

  /** Adds files by the hashes of their names, all or none. */
  public void add(Map<Long, Named> files) throws IOException {
    WriteBatch batch = new WriteBatch();
    files.forEach((nameHash, file) -> batch.put(key(nameHash), encode(file)));
    open().apply(batch, FOR_THIS_RUN);
  }

  /** Takes in a file and the hash of the name that led to it. */
  public interface Action {
    /** Takes it in. */
    void accept(long nameHash, FileIdentity file);
  }

  private record Row(long nameHash, FileIdentity file) {}

  /**
   * Passes files that were added to the action, also those that came back to memory since, and
   * those with several names once for each: a part of the table at a time, so that the action may
   * take long.
   *
   * @param goesOn whether more are wanted
   */
  public void forEach(Action action, BooleanSupplier goesOn) throws IOException {
    Optional<TableStore> store = opened();
    for (int slot = 0; store.isPresent() && slot < StoreSnapshot.SLOTS; slot++) {
      if (!goesOn.getAsBoolean()) {
        return;
      }
      store.get().read(slotReader(slot)).forEach(row -> action.accept(row.nameHash, row.file));
    }
  }

  private static TableStore.Use<List<Row>> slotReader(int slot) {
    return table -> {
      List<Row> rows = new ArrayList<>();
      try (StoreSnapshot snapshot = table.snapshot()) {
        snapshot.forEachInSlot(
            slot, row -> rows.add(new Row(nameHash(row.key()), decode(row.value()).identity())));
      }
      return rows;
    };
  }

  private static long nameHash(byte[] key) {
    return ByteBuffer.wrap(key, PREFIX.length, Long.BYTES).getLong();
  }

  /** Returns whether a key is one of a name: earlier agents had them in the table of files. */
  static boolean isName(byte[] key) {
    return key.length == PREFIX.length + Long.BYTES
        && Arrays.equals(key, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  private static byte[] key(long nameHash) {
    return ByteBuffer.allocate(PREFIX.length + Long.BYTES).put(PREFIX).putLong(nameHash).array();
  }

  private static byte[] encode(Named file) {
    byte[] identity = file.identity().toBytes();
    return ByteBuffer.allocate(Long.BYTES + identity.length)
        .putLong(file.arrivalNanos())
        .put(identity)
        .array();
  }

  private static Named decode(byte[] value) {
    ByteBuffer from = ByteBuffer.wrap(value);
    long arrivalNanos = from.getLong();
    byte[] identity = new byte[from.remaining()];
    from.get(identity);
    return new Named(FileIdentity.fromBytes(identity), arrivalNanos);
  }

  /** Removes all rows; none is added after that. */
  @Override
  public void close() throws IOException {
    Optional<TableStore> store;
    synchronized (this) {
      closed = true;
      store = opened;
      opened = Optional.empty();
    }
    if (store.isPresent()) {
      store.get().close();
      if (opening.place().isInPlace()) { // Else they are another agent's.
        removeAll();
      }
    }
  }
}
