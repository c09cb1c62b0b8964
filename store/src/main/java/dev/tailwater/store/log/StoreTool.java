package dev.tailwater.store.log;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.StoreInspector;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.files.UnlockedStore;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import dev.tailwater.store.log.recovery.FilePlan;
import dev.tailwater.store.log.recovery.StoreContents;
import dev.tailwater.store.log.salvage.LogSalvage;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * An inspector of the directory of a transaction-log store that nobody has open. Changes nothing,
 * and does not keep the lock while it reads: a process that wants to open the store never waits for
 * a tool. When a process opens the store meanwhile, the method throws {@link StoreLockedException}
 * instead of returning a result.
 *
 * <p>Thread-safe. All methods throw {@link StoreUnavailableException} when the directory cannot be
 * read, and {@link DamagedStoreException} at the first damage; {@link LogSalvage} goes on behind
 * it.
 */
public final class StoreTool implements StoreInspector {
  private final FileCalls calls;
  private final PosixPath path;

  /** Creates a tool for the store in this directory; each method reads it anew. */
  public StoreTool(FileCalls calls, PosixPath directory) {
    this.calls = calls;
    this.path = directory;
  }

  /** Reads every file from end to end, also behind damage. */
  public StoreCheck verify() throws IOException {
    return new LogSalvage(calls, path, InstantSource.system()).verify(DamageListener.none());
  }

  /** Returns what the store would hold if it were opened now. */
  public StoreSummary stats() throws IOException {
    return whileFree(
        directory -> {
          StoreContents contents = StoreContents.read(directory, FilePlan.of(directory));
          Optional<StoreContents.LogEnd> end = contents.logEnd();
          return new StoreSummary(
              contents.map().size(),
              contents.map().liveBytes(),
              contents.earlierLogBytes() + end.map(StoreContents.LogEnd::sizeBytes).orElse(0L),
              contents.snapshotBytes(),
              contents.plan().logs().size(),
              end.map(StoreContents.LogEnd::tornBytes).orElse(0L),
              contents.files().stream()
                  .map(
                      file ->
                          new StoreSummary.FileSummary(
                              file.name(), file.sizeBytes(), file.operations()))
                  .toList(),
              end.map(log -> log.extent().isSealed()).orElse(false));
        });
  }

  /** Returns the value of this key. */
  public Optional<byte[]> get(byte[] key) throws IOException {
    return read().find(key).map(put -> put.value().clone());
  }

  /** Passes every key that starts with the prefix to the action, ordered by unsigned bytes. */
  public void scan(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    read().forEach(keyPrefix, put -> action.accept(put.key().clone(), put.value().clone()));
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return read().find(key).map(Operation::toEntry);
  }

  @Override
  public void forEach(byte[] keyPrefix, EntryReader action) throws IOException {
    read().forEach(keyPrefix, put -> action.entry(put.toEntry()));
  }

  private PersistentMap read() throws IOException {
    return whileFree(directory -> StoreContents.read(directory, FilePlan.of(directory)).map());
  }

  private <T> T whileFree(UnlockedStore.Reading<T> reading) throws IOException {
    return UnlockedStore.read(calls, path, reading);
  }
}
