package dev.tailwater.store.log;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Looks into the directory of a store that nobody has open. Changes nothing, and does not keep the
 * lock while it reads: a process that wants to open the store must never be held up by a tool. When
 * that happens meanwhile, the method throws {@link StoreLockedException} instead of giving a
 * result.
 *
 * <p>Thread-safe. All methods throw {@link StoreUnavailableException} when the directory cannot be
 * read; all but {@link #verify()} throw {@link DamagedStoreException} at the first damage.
 */
public final class StoreTool {
  private final FileCalls calls;
  private final PosixPath path;

  /** For the store in this directory, which is opened anew by each method. */
  public StoreTool(FileCalls calls, PosixPath directory) {
    this.calls = calls;
    this.path = directory;
  }

  /** Reads every file from end to end, also behind the first damage. */
  public StoreVerification verify() throws IOException {
    return whileFree(StoreVerifier::verify);
  }

  /** What the store would hold if it were opened now. */
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
              end.map(log -> log.extent().isSealed()).orElse(false));
        });
  }

  /** The value of this key. */
  public Optional<byte[]> get(byte[] key) throws IOException {
    return read().find(key).map(put -> put.value().clone());
  }

  /** Gives every key that starts with the prefix, ordered by unsigned bytes. */
  public void scan(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    read().forEach(keyPrefix, put -> action.accept(put.key().clone(), put.value().clone()));
  }

  private PersistentMap read() throws IOException {
    return whileFree(directory -> StoreContents.read(directory, FilePlan.of(directory)).map());
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read(StoreDirectory directory) throws IOException;
  }

  private <T> T whileFree(Reading<T> reading) throws IOException {
    try (StoreDirectory directory = StoreDirectory.openExisting(calls, path)) {
      DirectoryLock.checkFree(directory);
      T result;
      try {
        result = reading.read(directory);
      } catch (IOException failed) {
        DirectoryLock.checkFree(directory);
        throw failed;
      }
      // Somebody who came meanwhile may have changed files between two reads.
      DirectoryLock.checkFree(directory);
      return result;
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(path, failed);
    }
  }
}
