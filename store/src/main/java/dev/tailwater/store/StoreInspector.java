package dev.tailwater.store;

import java.io.IOException;
import java.util.Optional;

/**
 * Reads the entries of a store that nobody has open, and changes nothing. Thread-safe.
 *
 * <p>Both methods throw {@link StoreLockedException} instead of giving a result when somebody opens
 * the store meanwhile, {@link StoreUnavailableException} when the directory cannot be read, and
 * {@link DamagedStoreException} at the first damage that they meet.
 */
public interface StoreInspector {
  /** Returns all that the store knows of this key, also when it has expired. */
  Optional<Entry> find(byte[] key) throws IOException;

  /**
   * Gives every entry whose key starts with the prefix, expired ones too: ordered by unsigned key
   * bytes from a transaction log, from the oldest write to the newest from data files.
   */
  void forEach(byte[] keyPrefix, EntryReader action) throws IOException;
}
