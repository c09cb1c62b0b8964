package dev.tailwater.store.files;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import java.io.IOException;

/**
 * Reads of a store that nobody has open, without keeping its lock: a process that wants to open the
 * store never waits for a tool.
 */
public final class UnlockedStore {
  private UnlockedStore() {}

  /** Reads, and changes nothing. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(StoreDirectory directory) throws IOException;
  }

  /**
   * Runs the reading and returns its result.
   *
   * @throws StoreLockedException instead of a result, when somebody has the store open, or opened
   *     it meanwhile
   * @throws StoreUnavailableException when the directory cannot be read
   */
  public static <T> T read(FileCalls calls, PosixPath path, Reading<T> reading) throws IOException {
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
