package dev.tailwater.store.common;

import dev.tailwater.store.AsyncKeyValueStore;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** An asynchronous store that runs each call on a thread of an executor, which blocks meanwhile. */
public final class ExecutorAsyncStore implements AsyncKeyValueStore {
  private final KeyValueStore store;
  private final Executor executor;

  public ExecutorAsyncStore(KeyValueStore store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Optional<byte[]>> get(byte[] key) {
    byte[] copy = key.clone();
    return call(() -> store.get(copy));
  }

  @Override
  public CompletionStage<Optional<Entry>> find(byte[] key) {
    byte[] copy = key.clone();
    return call(() -> store.find(copy));
  }

  @Override
  public CompletionStage<List<Optional<byte[]>>> getAll(List<byte[]> keys) {
    List<byte[]> copies = keys.stream().map(byte[]::clone).toList();
    return call(() -> store.getAll(copies));
  }

  @Override
  public CompletionStage<Long> put(byte[] key, byte[] value, WriteOptions options) {
    byte[] keyCopy = key.clone();
    byte[] valueCopy = value.clone();
    return call(() -> store.put(keyCopy, valueCopy, options));
  }

  @Override
  public CompletionStage<Void> putAll(Iterable<BulkPut> puts, WriteOptions options) {
    return call(
        () -> {
          store.putAll(puts, options);
          return null;
        });
  }

  @Override
  public CompletionStage<OptionalLong> update(byte[] key, Update update, WriteOptions options) {
    byte[] copy = key.clone();
    return call(() -> store.update(copy, update, options));
  }

  @Override
  public CompletionStage<Void> apply(WriteBatch batch, WriteOptions options) {
    return call(
        () -> {
          store.apply(batch, options);
          return null;
        });
  }

  @Override
  public CompletionStage<Long> purgeExpired(long limit) {
    return call(() -> store.purgeExpired(limit, entry -> {}));
  }

  private <T> CompletionStage<T> call(Callable<? extends T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      executor.execute(() -> run(action, result));
    } catch (RuntimeException | Error rejected) { // no thread can be made, for example
      result.completeExceptionally(rejected);
    }
    return result;
  }

  // Catches everything, an Error too: the caller's stage must complete.
  private static <T> void run(Callable<? extends T> action, CompletableFuture<T> result) {
    if (!result.isDone()) { // else it was cancelled
      try {
        result.complete(action.call());
      } catch (Throwable failed) {
        result.completeExceptionally(failed);
      }
    }
  }
}
