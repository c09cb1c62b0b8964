package dev.tailwater.store;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A durable map from byte arrays to byte arrays, ordered by unsigned key bytes.
 *
 * <p>Thread-safe; made for many writers, platform or virtual threads. A write returns when it is
 * durable, and only then do readers see it; writes that wait at the same time share one fdatasync.
 * Writes cannot be interrupted: the interrupt status is kept for the caller. Arrays are copied both
 * ways. After {@link #close()} every method throws {@link IllegalStateException}.
 *
 * <p>A write throws {@link StoreWriteException} when it was not made and the store goes on (no
 * space), and {@link StoreFailedException} when it is unknown whether it was made (fdatasync
 * failed) and from then on for every write; {@link IllegalArgumentException} for what is too long.
 */
public interface KeyValueStore extends AutoCloseable {
  /** Longest key. The empty key is a key like any other. */
  int MAX_KEY_BYTES = 64 * 1024;

  /** Longest value. */
  int MAX_VALUE_BYTES = 64 * 1024 * 1024;

  /** Longest batch: the sum of its keys and values and of 9 bytes for each of its operations. */
  int MAX_BATCH_BYTES = 128 * 1024 * 1024;

  /** The value of this key. */
  Optional<byte[]> get(byte[] key);

  /** Gives the key this value, durably. */
  void put(byte[] key, byte[] value) throws IOException;

  /** Takes the key away, durably. A key that is not there is fine. */
  void remove(byte[] key) throws IOException;

  /** Makes all of the batch durable, or none of it. */
  void apply(WriteBatch batch) throws IOException;

  /**
   * Gives every key that starts with the prefix, in order, as of one moment: what is written while
   * this runs is not seen. The action may write to this store.
   */
  void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action);

  /** Numbers of this moment. */
  StoreStatistics statistics();

  /** Waits for writes under way, and releases the directory. Closing twice is fine. */
  @Override
  void close() throws IOException;
}
