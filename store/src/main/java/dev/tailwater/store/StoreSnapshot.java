package dev.tailwater.store;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A store as it was at one moment: no later write is in it, and of each batch all or nothing. What
 * had expired at that moment, by the store's clock, is not in it; what expires later stays.
 *
 * <p>Taking one copies nothing, whatever the size of the store. Holding one costs memory for what
 * is changed meanwhile, and in data-file mode disk space: files that it names are kept until it is
 * closed. So close it; {@link StoreStatistics.SnapshotStatistics} tells of forgotten ones.
 * Thread-safe. After {@link #close()}, and after that of the store, every other method throws
 * {@link IllegalStateException}.
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

  /** The value of this key. */
  Optional<byte[]> get(byte[] key) throws IOException;

  /** The value of this key with its version, expiry and tags. */
  Optional<Entry> find(byte[] key) throws IOException;

  /**
   * Gives every entry whose key starts with the prefix; by unsigned key bytes when the store is
   * {@link KeyValueStore#ordered()}. The action may write to the store.
   */
  void forEach(byte[] keyPrefix, Consumer<Entry> action) throws IOException;

  /**
   * Gives every entry whose key is in this slot. The action may write to the store.
   *
   * @param slot from 0, below {@link #SLOTS}
   */
  default void forEachInSlot(int slot, Consumer<Entry> action) throws IOException {
    if (slot < 0 || slot >= SLOTS) {
      throw new IllegalArgumentException("slot " + slot);
    }
    forEachInSlots(wanted -> wanted == slot, action);
  }

  /** Gives every entry whose key is in a wanted slot. The action may write to the store. */
  void forEachInSlots(IntPredicate slots, Consumer<Entry> action) throws IOException;

  /** Gives every entry that has this tag. The action may write to the store. */
  void forEachWithTag(String tag, Consumer<Entry> action) throws IOException;

  /** Number of keys, with those that have expired and were not taken away yet. Counts nothing. */
  long size();

  /** When it was taken, by the store's clock, in milliseconds since 1970. */
  long takenAtMillis();

  /** Lets go of what it holds, when calls under way have returned. Closing twice is fine. */
  @Override
  void close();
}
