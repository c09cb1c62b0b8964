package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;

/**
 * Opens a store of either mode: the one that the directory holds.
 *
 * <pre>{@code
 * try (KeyValueStore store = Stores.open(LinuxFileCalls.create(), directory)) {
 *   store.put(key, value);
 * }
 * }</pre>
 */
public final class Stores {
  private Stores() {}

  /** Opens the store in this directory; makes one of data files where there is none. */
  public static KeyValueStore open(FileCalls calls, PosixPath directory) throws IOException {
    return open(calls, directory, StoreMode.DATA);
  }

  /** Opens the store in this directory; makes one of this mode where there is none. */
  public static KeyValueStore open(FileCalls calls, PosixPath directory, StoreMode modeOfNew)
      throws IOException {
    return open(calls, directory, modeOfNew, DataFileOptions.defaults(), StoreOptions.defaults());
  }

  /**
   * Opens the store in this directory; makes one of this mode where there is none. Throws what
   * opening the mode throws: {@link DataFileStore#open}, {@link TransactionLogStore#open}.
   *
   * @param dataFiles what counts when it is one of data files
   * @param log what counts when it is one of a transaction log
   */
  public static KeyValueStore open(
      FileCalls calls,
      PosixPath directory,
      StoreMode modeOfNew,
      DataFileOptions dataFiles,
      StoreOptions log)
      throws IOException {
    return switch (StoreMode.of(calls, directory).orElse(modeOfNew)) {
      case DATA -> DataFileStore.open(calls, directory, dataFiles);
      case LOG -> TransactionLogStore.open(calls, directory, log);
    };
  }
}
