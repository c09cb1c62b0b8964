package dev.tailwater.store;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A consistent view of a store: no later write is in it, and each batch is in it as a whole or not
 * at all. Entries that had expired at that moment, by the store's clock, are not in it; entries
 * that expire later stay.
 *
 * <p>Taking a snapshot copies nothing, whatever the size of the store. Holding one costs memory for
 * what changes meanwhile and, in data-file mode, disk space: the files that it needs are kept until
 * it is closed. So close it; {@link StoreStatistics.SnapshotStatistics} shows forgotten ones.
 * Thread-safe. After the snapshot or the store is closed, every other method throws {@link
 * IllegalStateException}.
 *
 * <pre>{@code
 * try (StoreSnapshot snapshot = store.snapshot()) {
 *   snapshot.forEach(new byte[0], entry -> export(entry));
 * }
 * }</pre>
 */
public interface StoreSnapshot extends AutoCloseable {
  /** Number of hash slots that the keys are divided into. */
  int SLOTS = 256;

  /** Returns the value of this key. */
  Optional<byte[]> get(byte[] key) throws IOException;

  /** Returns the value of this key with its version, expiry and tags. */
  Optional<Entry> find(byte[] key) throws IOException;

  /**
   * Passes every entry whose key starts with the prefix to the action, ordered by unsigned key
   * bytes when the store is {@link KeyValueStore#ordered()}. The action may write to the store.
   */
  void forEach(byte[] keyPrefix, Consumer<Entry> action) throws IOException;

  /**
   * Passes every entry whose key is in this hash slot to the action, which may write to the store.
   *
   * @param slot from 0, below {@link #SLOTS}
   */
  default void forEachInSlot(int slot, Consumer<Entry> action) throws IOException {
    if (slot < 0 || slot >= SLOTS) {
      throw new IllegalArgumentException("slot " + slot);
    }
    forEachInSlots(wanted -> wanted == slot, action);
  }

  /**
   * Passes every entry whose key is in a wanted hash slot to the action, which may write to the
   * store.
   */
  void forEachInSlots(IntPredicate slots, Consumer<Entry> action) throws IOException;

  /** Passes every entry that has this tag to the action, which may write to the store. */
  void forEachWithTag(String tag, Consumer<Entry> action) throws IOException;

  /**
   * Returns the number of keys, including expired ones that were not removed yet, in constant time.
   */
  long size();

  /** Returns when it was taken, by the store's clock, in milliseconds since 1970. */
  long takenAtMillis();

  /** Releases what it holds once calls in progress have returned. A second call does nothing. */
  @Override
  void close();
}
