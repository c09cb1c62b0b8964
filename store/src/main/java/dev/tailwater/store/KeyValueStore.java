package dev.tailwater.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A durable map from byte arrays to byte arrays, with versions, expiry and tags.
 *
 * <p>Thread-safe; made for many writers, platform or virtual threads. {@link Durability} says how
 * durable a write is when it returns. With {@link Durability#GROUP}, readers see it only then, and
 * writes that wait at the same time share one fdatasync. Writes cannot be interrupted: the
 * interrupt status is kept for the caller. Arrays are copied both ways. After {@link #close()}
 * every method that reads or writes throws {@link IllegalStateException}.
 *
 * <p>A write throws {@link StoreWriteException} when it was not made and the store goes on, for
 * example because there is no space. It throws {@link StoreFailedException} when it is unknown
 * whether it was made, for example because fdatasync failed; so does every later write. It throws
 * {@link IllegalArgumentException} when a key, a value or a batch is too long. A read throws {@link
 * DamagedStoreException} when a value is damaged, and {@link StoreReadException} when the disk does
 * not give it; other keys can still be read. A read of a key that is too long finds nothing.
 *
 * <pre>{@code
 * store.put(key, value);
 * store.put(key, value, WriteOptions.defaults().withTimeToLive(Duration.ofHours(1)));
 * Entry seen = store.find(key).orElseThrow();
 * boolean mine = store.compareAndSet(key, seen.version(), other).isPresent();
 * }</pre>
 */
public interface KeyValueStore extends AutoCloseable {
  /** Longest key, in bytes. The empty key is a key like any other. */
  int MAX_KEY_BYTES = Limits.MAX_KEY_BYTES;

  /** Longest value, in bytes. It may be empty. */
  int MAX_VALUE_BYTES = Limits.MAX_VALUE_BYTES;

  /** Longest batch, in bytes, by {@link WriteBatch#sizeBytes()}. */
  int MAX_BATCH_BYTES = Limits.MAX_BATCH_BYTES;

  /** Number of hash slots that the keys are divided into. */
  int SLOTS = StoreSnapshot.SLOTS;

  /** Returns the value of this key. */
  Optional<byte[]> get(byte[] key) throws IOException;

  /** Returns the value of this key with its version, expiry and tags. */
  Optional<Entry> find(byte[] key) throws IOException;

  /** Returns the values of these keys, in their order; each as of some moment during the call. */
  default List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    List<Optional<byte[]>> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(get(key));
    }
    return values;
  }

  /** Sets the value of this key. */
  default void put(byte[] key, byte[] value) throws IOException {
    put(key, value, WriteOptions.defaults());
  }

  /** Sets the value of this key, and returns its version. */
  long put(byte[] key, byte[] value, WriteOptions options) throws IOException;

  /**
   * Makes many puts in their order, as fast as the store takes them, as if each was made by {@link
   * #put(byte[], byte[], WriteOptions)}. They are not atomic together: readers may see the first
   * ones before the rest, and when this throws, or the machine stops, the first ones may have been
   * made. Returns when all have the durability that the options say; the options' other fields are
   * ignored.
   *
   * @param puts iterated once, and not to its end when a put fails
   */
  void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException;

  /** Removes the key, if it is there. */
  default void remove(byte[] key) throws IOException {
    remove(key, WriteOptions.defaults());
  }

  /** Removes the key; returns whether it was there. */
  default boolean remove(byte[] key, WriteOptions options) throws IOException {
    return update(key, Updates.remove(), options).isPresent();
  }

  /**
   * Changes the key as the update decides, atomically.
   *
   * @return the version of the write; empty when nothing was written
   */
  OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException;

  /** Sets the value of a key that has none; returns the version, or empty if it had one. */
  default OptionalLong putIfAbsent(byte[] key, byte[] value, WriteOptions options)
      throws IOException {
    return update(key, Updates.putAt(0, value), options);
  }

  /**
   * Sets the value of this key if the key has this version.
   *
   * @param expectedVersion 0: if there is no such key
   * @return the new version; empty when the key has another one
   */
  default OptionalLong compareAndSet(
      byte[] key, long expectedVersion, byte[] value, WriteOptions options) throws IOException {
    return update(key, Updates.putAt(expectedVersion, value), options);
  }

  /** Removes the key if it has this version; returns whether it did. */
  default boolean compareAndRemove(byte[] key, long expectedVersion, WriteOptions options)
      throws IOException {
    return update(key, Updates.removeAt(expectedVersion), options).isPresent();
  }

  /**
   * Adds to a number and returns the sum. The value is the number as decimal text in ASCII; a
   * missing key counts as 0. Keeps expiry and tags unless the options set others.
   *
   * @throws NotANumberException when the value is something else, or the sum overflows a long
   */
  default long increment(byte[] key, long delta, WriteOptions options) throws IOException {
    Updates.Increment increment = new Updates.Increment(delta);
    update(key, increment, options);
    return increment.sum();
  }

  /**
   * Appends these bytes to the value and returns the version; a missing key counts as empty. Keeps
   * expiry and tags unless the options set others. Throws {@link IllegalArgumentException} when the
   * value becomes too long.
   */
  default long append(byte[] key, byte[] suffix, WriteOptions options) throws IOException {
    return update(key, Updates.append(suffix), options).orElseThrow();
  }

  /** Applies all changes of the batch, or none, with the store's durability. */
  default void apply(WriteBatch batch) throws IOException {
    apply(batch, WriteOptions.defaults());
  }

  /** Applies all changes of the batch, or none; of the options only the durability counts. */
  void apply(WriteBatch batch, WriteOptions options) throws IOException;

  /** Returns whether {@link #forEach} is ordered by unsigned key bytes; if not, it has no order. */
  boolean ordered();

  /** Takes a snapshot: the store as of this moment, until the snapshot is closed. */
  StoreSnapshot snapshot() throws IOException;

  /**
   * Passes every key that starts with the prefix to the action, as of one moment, and in order when
   * {@link #ordered()}. The action may write to this store.
   */
  default void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    try (StoreSnapshot snapshot = snapshot()) {
      snapshot.forEach(keyPrefix, entry -> action.accept(entry.key(), entry.value()));
    }
  }

  /**
   * Passes every entry that has this tag to the action, as of one moment. The action may write to
   * this store.
   */
  default void forEachWithTag(String tag, Consumer<Entry> action) throws IOException {
    try (StoreSnapshot snapshot = snapshot()) {
      snapshot.forEachWithTag(tag, action);
    }
  }

  /**
   * Returns all tags, each with the number of entries that have it. Expired entries that were not
   * removed yet count; with data files, so may a few that were overwritten before a crash.
   */
  SortedMap<String, Long> tags() throws IOException;

  /**
   * Removes expired entries for good. Readers do not see them anyway, but they take memory and
   * space. A store that is written to does this by itself about a minute after they expire; the
   * action does not get those entries.
   *
   * @param limit the most entries to remove
   * @param action gets each entry that was removed
   * @return the number of entries removed
   */
  long purgeExpired(long limit, Consumer<Entry> action) throws IOException;

  /**
   * Returns the same store for callers that do not wait.
   *
   * @param executor runs calls, or the parts of them that take time, and what depends on them. Its
   *     threads may block, so virtual threads are best
   */
  AsyncKeyValueStore async(Executor executor);

  /**
   * Returns the hash slot of a key. Every key is in one of {@link #SLOTS} slots of about the same
   * size, and always in the same slot of this store; so a store can be read in parts.
   */
  int slotOf(byte[] key);

  /** Returns the statistics of this moment. */
  StoreStatistics statistics();

  /**
   * Waits for writes in progress and releases the directory. A second call returns when the first
   * has released the directory.
   */
  @Override
  void close() throws IOException;
}
