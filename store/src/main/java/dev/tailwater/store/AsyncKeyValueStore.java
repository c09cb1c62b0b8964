package dev.tailwater.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * The asynchronous form of a {@link KeyValueStore}; {@link KeyValueStore#async} returns one.
 * Thread-safe.
 *
 * <p>No call throws. Whatever the synchronous form would throw completes the stage exceptionally,
 * unwrapped, and so does a {@link java.util.concurrent.RejectedExecutionException} of the executor.
 * Arrays and lists are copied before a call returns, except those of {@code putAll}. Dependents of
 * a stage run on the executor, or in the thread that adds them, never on a thread that other
 * callers of the store wait for.
 *
 * <p>Calls have no order; to make one write after another, let it depend on the first. Cancelling
 * ({@code stage.toCompletableFuture().cancel(true)}) prevents a call that has not started; one that
 * has goes on, and only its result is dropped. When the store is closed, writes that have started
 * are completed, and calls that have not get an {@link IllegalStateException}.
 *
 * <pre>{@code
 * AsyncKeyValueStore async = store.async(Executors.newVirtualThreadPerTaskExecutor());
 * async.put(key, value, WriteOptions.defaults()).thenAccept(version -> acknowledge(version));
 * }</pre>
 */
public interface AsyncKeyValueStore {
  /** As {@link KeyValueStore#get}. */
  CompletionStage<Optional<byte[]>> get(byte[] key);

  /** As {@link KeyValueStore#find}. */
  CompletionStage<Optional<Entry>> find(byte[] key);

  /** As {@link KeyValueStore#getAll}. */
  CompletionStage<List<Optional<byte[]>>> getAll(List<byte[]> keys);

  /** As {@link KeyValueStore#put(byte[], byte[], WriteOptions)}. */
  CompletionStage<Long> put(byte[] key, byte[] value, WriteOptions options);

  /** As {@link KeyValueStore#putAll}; the puts must stay as they are until the stage is done. */
  CompletionStage<Void> putAll(Iterable<BulkPut> puts, WriteOptions options);

  /** As {@link KeyValueStore#update}. */
  CompletionStage<OptionalLong> update(byte[] key, Update update, WriteOptions options);

  /** As {@link KeyValueStore#apply(WriteBatch, WriteOptions)}. */
  CompletionStage<Void> apply(WriteBatch batch, WriteOptions options);

  /** As {@link KeyValueStore#purgeExpired(long, java.util.function.Consumer)}. */
  CompletionStage<Long> purgeExpired(long limit);

  /** As {@link KeyValueStore#remove(byte[], WriteOptions)}. */
  default CompletionStage<Boolean> remove(byte[] key, WriteOptions options) {
    return update(key, Updates.remove(), options).thenApply(OptionalLong::isPresent);
  }

  /** As {@link KeyValueStore#putIfAbsent}. */
  default CompletionStage<OptionalLong> putIfAbsent(
      byte[] key, byte[] value, WriteOptions options) {
    return compareAndSet(key, 0, value, options);
  }

  /** As {@link KeyValueStore#compareAndSet}. */
  default CompletionStage<OptionalLong> compareAndSet(
      byte[] key, long expectedVersion, byte[] value, WriteOptions options) {
    return update(key, Updates.putAt(expectedVersion, value), options);
  }

  /** As {@link KeyValueStore#compareAndRemove}. */
  default CompletionStage<Boolean> compareAndRemove(
      byte[] key, long expectedVersion, WriteOptions options) {
    return update(key, Updates.removeAt(expectedVersion), options)
        .thenApply(OptionalLong::isPresent);
  }

  /** As {@link KeyValueStore#increment}. */
  default CompletionStage<Long> increment(byte[] key, long delta, WriteOptions options) {
    Updates.Increment increment = new Updates.Increment(delta);
    return update(key, increment, options).thenApply(version -> increment.sum());
  }

  /** As {@link KeyValueStore#append}. */
  default CompletionStage<Long> append(byte[] key, byte[] suffix, WriteOptions options) {
    return update(key, Updates.append(suffix), options).thenApply(OptionalLong::orElseThrow);
  }
}
