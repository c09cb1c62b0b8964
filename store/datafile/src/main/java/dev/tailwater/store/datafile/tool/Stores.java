package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Stores of either mode: opens the one that a directory holds, or tools for it.
 *
 * <pre>{@code
 * try (KeyValueStore store = Stores.open(Path.of("/var/lib/app/store"))) {
 *   store.put(key, value);
 * }
 * }</pre>
 */
public final class Stores {
  private Stores() {}

  /** Opens the store in this directory; makes one of data files where there is none. */
  public static KeyValueStore open(Path directory) throws IOException {
    return open(directory, StoreMode.DATA);
  }

  /** Opens the store in this directory; makes one of this mode where there is none. */
  public static KeyValueStore open(Path directory, StoreMode modeOfNew) throws IOException {
    return open(LinuxFileCalls.create(), PosixPath.of(directory.toAbsolutePath()), modeOfNew);
  }

  /**
   * Returns tools for the store in this directory, which nobody may have open.
   *
   * @throws StoreUnavailableException also when there is none
   */
  public static ClosedStore closed(Path directory) throws IOException {
    return closed(LinuxFileCalls.create(), PosixPath.of(directory.toAbsolutePath()));
  }

  /** As {@link #closed(Path)}, over other calls. */
  public static ClosedStore closed(FileCalls calls, PosixPath directory) throws IOException {
    StoreMode mode =
        StoreMode.of(calls, directory)
            .orElseThrow(
                () ->
                    new StoreUnavailableException(
                        directory,
                        new ErrnoException(
                            "open", directory.toString(), Errno.ENOENT.number(), "no store")));
    InstantSource clock = InstantSource.system();
    return switch (mode) {
      case DATA -> InspectedStore.dataFiles(calls, directory, clock);
      case LOG -> InspectedStore.log(calls, directory, clock);
    };
  }

  /** As {@link #open(Path)}, over other calls. */
  public static KeyValueStore open(FileCalls calls, PosixPath directory) throws IOException {
    return open(calls, directory, StoreMode.DATA);
  }

  /** As {@link #open(Path, StoreMode)}, over other calls. */
  public static KeyValueStore open(FileCalls calls, PosixPath directory, StoreMode modeOfNew)
      throws IOException {
    return open(calls, directory, modeOfNew, DataFileOptions.defaults(), StoreOptions.defaults());
  }

  /**
   * Opens the store in this directory; makes one of this mode where there is none. Throws what
   * opening either mode throws: {@link DataFileStore#open}, {@link TransactionLogStore#open}.
   *
   * @param dataFiles options of a data-file store
   * @param log options of a transaction-log store
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
