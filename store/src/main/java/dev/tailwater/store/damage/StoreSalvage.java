package dev.tailwater.store.damage;

import java.io.IOException;

/**
 * Checks and repairs the files of a store that nobody has open. Thread-safe.
 *
 * <p>Both methods throw {@link dev.tailwater.store.StoreUnavailableException} when the directory
 * cannot be read, and {@link dev.tailwater.store.UnsupportedStoreFormatException} when a newer
 * program wrote the store.
 */
public interface StoreSalvage {
  /**
   * Reads every byte of every file, also behind damage, and changes nothing.
   *
   * @throws dev.tailwater.store.StoreLockedException when somebody has the store open, or opens it
   *     meanwhile
   */
  StoreCheck verify(DamageListener listener) throws IOException;

  /**
   * Makes a store of everything that is whole, and keeps what was damaged in a directory beside.
   * Crash-safe: wherever it stops, it can be run again.
   *
   * @throws dev.tailwater.store.StoreLockedException when somebody has the store open
   */
  RepairResult repair(RepairListener listener) throws IOException;
}
