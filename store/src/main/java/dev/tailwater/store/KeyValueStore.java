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
 * <p>Thread-safe; made for many writers, platform or virtual threads. How durable a write is when
 * it returns, {@link Durability} says; with {@link Durability#GROUP} it is seen by readers only
 * then, and writes that wait at the same time share one fdatasync. Writes cannot be interrupted:
 * the interrupt status is kept for the caller. Arrays are copied both ways. After {@link #close()}
 * every method throws {@link IllegalStateException}.
 *
 * <p>A write throws {@link StoreWriteException} when it was not made and the store goes on (no
 * space), and {@link StoreFailedException} when it is unknown whether it was made (fdatasync
 * failed) and from then on for every write; {@link IllegalArgumentException} for what is too long.
 * Reading throws {@link DamagedStoreException} for a value that is not as it was written; other
 * keys can still be read.
 *
 * <pre>{@code
 * store.put(key, value);
 * store.put(key, value, WriteOptions.defaults().withTimeToLive(Duration.ofHours(1)));
 * Entry seen = store.find(key).orElseThrow();
 * boolean mine = store.compareAndSet(key, seen.version(), other).isPresent();
 * }</pre>
 */
public interface KeyValueStore extends AutoCloseable {
  /** Longest key. The empty key is a key like any other. */
  int MAX_KEY_BYTES = Limits.MAX_KEY_BYTES;

  /** Longest value. */
  int MAX_VALUE_BYTES = Limits.MAX_VALUE_BYTES;

  /** Longest batch, by {@link WriteBatch#sizeBytes()}. */
  int MAX_BATCH_BYTES = Limits.MAX_BATCH_BYTES;

  /** Number of slots that the keys are divided into. */
  int SLOTS = StoreSnapshot.SLOTS;

  /** The value of this key. */
  Optional<byte[]> get(byte[] key) throws IOException;

  /** The value of this key with its version, expiry and tags. */
  Optional<Entry> find(byte[] key) throws IOException;

  /** The values of these keys, in their order; each as of some moment during the call. */
  default List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    List<Optional<byte[]>> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(get(key));
    }
    return values;
  }

  /** Gives the key this value. */
  default void put(byte[] key, byte[] value) throws IOException {
    put(key, value, WriteOptions.defaults());
  }

  /** Gives the key this value, and returns its version. */
  long put(byte[] key, byte[] value, WriteOptions options) throws IOException;

  /**
   * Makes many puts, as fast as the store takes them, in their order, as if each was made by {@link
   * #put(byte[], byte[], WriteOptions)}. Not as one step: others see some before the rest, and when
   * it throws, or the machine stops, those at the beginning may have been made. Returns when all
   * have the durability that the options say; of the options nothing else counts.
   *
   * @param puts gone through once, and not to its end when a put fails
   */
  void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException;

  /** Takes the key away. A key that is not there is fine. */
  default void remove(byte[] key) throws IOException {
    remove(key, WriteOptions.defaults());
  }

  /** Takes the key away, and says whether it was there. */
  default boolean remove(byte[] key, WriteOptions options) throws IOException {
    return update(key, Updates.remove(), options).isPresent();
  }

  /**
   * Does with the key what the update decides, as one step that no other write can come between.
   *
   * @return the version of the write; empty when nothing was written
   */
  OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException;

  /** Gives the key this value if it has none; returns the version, or empty if it had one. */
  default OptionalLong putIfAbsent(byte[] key, byte[] value, WriteOptions options)
      throws IOException {
    return update(key, Updates.putAt(0, value), options);
  }

  /**
   * Gives the key this value if it has this version.
   *
   * @param expectedVersion 0: if there is no such key
   * @return the new version; empty when the key has another one
   */
  default OptionalLong compareAndSet(
      byte[] key, long expectedVersion, byte[] value, WriteOptions options) throws IOException {
    return update(key, Updates.putAt(expectedVersion, value), options);
  }

  /** Takes the key away if it has this version, and says whether it did. */
  default boolean compareAndRemove(byte[] key, long expectedVersion, WriteOptions options)
      throws IOException {
    return update(key, Updates.removeAt(expectedVersion), options).isPresent();
  }

  /**
   * Adds to a number, and returns the sum. The value is the number as decimal text in ASCII; a key
   * that is not there counts as 0. Keeps expiry and tags unless the options give others.
   *
   * @throws NotANumberException when the value is something else, or the sum is no long
   */
  default long increment(byte[] key, long delta, WriteOptions options) throws IOException {
    Updates.Increment increment = new Updates.Increment(delta);
    update(key, increment, options);
    return increment.sum();
  }

  /**
   * Puts these bytes behind the value, and returns the version; a key that is not there counts as
   * empty. Keeps expiry and tags unless the options give others. {@link IllegalArgumentException}
   * when the value becomes too long.
   */
  default long append(byte[] key, byte[] suffix, WriteOptions options) throws IOException {
    return update(key, Updates.append(suffix), options).orElseThrow();
  }

  /** Makes all of the batch, or none of it, and has it durable. */
  default void apply(WriteBatch batch) throws IOException {
    apply(batch, WriteOptions.defaults());
  }

  /** Makes all of the batch, or none of it; of the options only the durability counts. */
  void apply(WriteBatch batch, WriteOptions options) throws IOException;

  /** Whether {@link #forEach} goes by unsigned key bytes. If not, it goes in no order. */
  boolean ordered();

  /** The store as of this moment, for as long as it is not closed. */
  StoreSnapshot snapshot() throws IOException;

  /**
   * Gives every key that starts with the prefix, as of one moment, and in order when {@link
   * #ordered()}. The action may write to this store.
   */
  default void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    try (StoreSnapshot snapshot = snapshot()) {
      snapshot.forEach(keyPrefix, entry -> action.accept(entry.key(), entry.value()));
    }
  }

  /** Gives every entry that has this tag, as of one moment. The action may write to this store. */
  default void forEachWithTag(String tag, Consumer<Entry> action) throws IOException {
    try (StoreSnapshot snapshot = snapshot()) {
      snapshot.forEachWithTag(tag, action);
    }
  }

  /**
   * All tags, each with the number of entries that have it. Those that have expired and were not
   * taken away yet count; with data files, so may a few that were overwritten before a crash.
   */
  SortedMap<String, Long> tags() throws IOException;

  /**
   * Takes away what has expired, for good: nobody sees it anyway, but it takes memory and space. A
   * store does this by itself when it is written to, about a minute behind; entries that went that
   * way are not given to the action.
   *
   * @param limit at most so many
   * @param action is given each entry that was taken away
   * @return how many
   */
  long purgeExpired(long limit, Consumer<Entry> action) throws IOException;

  /**
   * The same store for callers who do not wait.
   *
   * @param executor makes calls, or the parts of them that take time, and runs what depends on
   *     them. Its threads may block: one for each call is best, so virtual ones
   */
  AsyncKeyValueStore async(Executor executor);

  /**
   * The slot of a key: every key is in one of {@link #SLOTS}, of about the same size, and always in
   * the same one of this store. So a store can be gone through in parts.
   */
  int slotOf(byte[] key);

  /** Numbers of this moment. */
  StoreStatistics statistics();

  /**
   * Waits for writes under way, and releases the directory. Closing twice is fine: the second call
   * returns when the first has released the directory.
   */
  @Override
  void close() throws IOException;
}
