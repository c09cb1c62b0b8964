package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The directory of a store of either mode that nobody has open. Only {@link #repair} changes
 * anything or keeps the lock: a process that wants to open the store is never held up by one that
 * looks. When that happens meanwhile, the method throws {@link StoreLockedException} instead of
 * giving a result.
 *
 * <p>Thread-safe. All methods throw {@link StoreUnavailableException} when the directory cannot be
 * read; those that give entries throw {@link DamagedStoreException} at the first damage that they
 * meet.
 *
 * <pre>{@code
 * ClosedStore store = ClosedStore.at(LinuxFileCalls.create(), directory);
 * store.forEach(new byte[0], entry -> print(entry));
 * }</pre>
 */
public interface ClosedStore {
  /**
   * The store in this directory.
   *
   * @throws StoreUnavailableException also when there is none
   */
  static ClosedStore at(FileCalls calls, PosixPath directory) throws IOException {
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
      case DATA -> new ClosedDataFiles(calls, directory, clock);
      case LOG -> new ClosedLog(calls, directory, clock);
    };
  }

  StoreMode mode();

  /** How much it holds. Reads indexes and hints where there are any. */
  StoreOverview overview() throws IOException;

  /** All that the store knows of this key, also when it has expired. */
  Optional<Entry> find(byte[] key) throws IOException;

  /**
   * Gives every entry whose key starts with the prefix, expired ones too: ordered by unsigned key
   * bytes from a transaction log, from the oldest write to the newest from data files.
   */
  void forEach(byte[] keyPrefix, EntryReader action) throws IOException;

  /** Reads every byte of every file, also behind damage. */
  StoreCheck verify(DamageListener listener) throws IOException;

  /**
   * Makes a store of everything that is whole, and keeps what was damaged in a directory beside.
   * Crash-safe: wherever it stops, it can be run again.
   *
   * @throws StoreLockedException when somebody has the store open
   */
  RepairResult repair(RepairListener listener) throws IOException;
}
