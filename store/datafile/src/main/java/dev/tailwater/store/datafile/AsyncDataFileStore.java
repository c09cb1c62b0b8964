package dev.tailwater.store.datafile;

import dev.tailwater.store.AsyncKeyValueStore;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Entry;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.read.ReadSide;
import dev.tailwater.store.datafile.write.WriteSide;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous form of a data-file store. A write holds a thread of the executor until it is
 * appended, but not while it is made durable; a read holds none while it waits for the disk.
 */
final class AsyncDataFileStore implements AsyncKeyValueStore {
  private final AsyncKeyValueStore onExecutor;
  private final ReadSide reads;
  private final WriteSide writes;
  private final Executor executor;

  /**
   * Creates the asynchronous form of a store.
   *
   * @param onExecutor makes the calls that need a thread of their own
   */
  AsyncDataFileStore(
      AsyncKeyValueStore onExecutor, ReadSide reads, WriteSide writes, Executor executor) {
    this.onExecutor = onExecutor;
    this.reads = reads;
    this.writes = writes;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Optional<byte[]>> get(byte[] key) {
    byte[] copy = key.clone();
    return read(() -> reads.getAsync(copy));
  }

  @Override
  public CompletionStage<Optional<Entry>> find(byte[] key) {
    byte[] copy = key.clone();
    return read(() -> reads.findAsync(copy));
  }

  /** Starts a read; completes it in the calling thread when it takes no disk access. */
  private <T> CompletionStage<T> read(Supplier<CompletableFuture<T>> beginning) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      CompletableFuture<T> begun = beginning.get();
      if (begun.isDone()) {
        var _ = begun.whenComplete((value, failed) -> complete(result, value, failed));
      } else {
        completeOnExecutor(begun, result, Function.identity());
      }
    } catch (RuntimeException | Error failed) { // closed, or no memory for a large value
      result.completeExceptionally(failed);
    }
    return result;
  }

  @Override
  public CompletionStage<List<Optional<byte[]>>> getAll(List<byte[]> keys) {
    return onExecutor.getAll(keys);
  }

  @Override
  public CompletionStage<Long> put(byte[] key, byte[] value, WriteOptions options) {
    byte[] keyCopy = key.clone();
    byte[] valueCopy = value.clone();
    return write(() -> writes.putAsync(keyCopy, valueCopy, options), version -> version);
  }

  @Override
  public CompletionStage<Void> putAll(Iterable<BulkPut> puts, WriteOptions options) {
    return onExecutor.putAll(puts, options);
  }

  @Override
  public CompletionStage<OptionalLong> update(byte[] key, Update update, WriteOptions options) {
    byte[] copy = key.clone();
    return write(
        () -> writes.updateAsync(copy, update, options),
        version -> version == 0 ? OptionalLong.empty() : OptionalLong.of(version));
  }

  @Override
  public CompletionStage<Void> apply(WriteBatch batch, WriteOptions options) {
    return this.<@Nullable Void>write(() -> writes.applyAsync(batch, options), version -> null);
  }

  @Override
  public CompletionStage<Long> purgeExpired(long limit) {
    return onExecutor.purgeExpired(limit);
  }

  /** Appends, which may read from the disk and wait for others that append. */
  @FunctionalInterface
  private interface Beginning {
    CompletableFuture<Long> begin() throws IOException;
  }

  private <T extends @Nullable Object> CompletionStage<T> write(
      Beginning beginning, Function<Long, T> value) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      executor.execute(() -> begin(beginning, result, value));
    } catch (RuntimeException | Error rejected) { // no thread can be made, for example
      result.completeExceptionally(rejected);
    }
    return result;
  }

  // Catches everything, an Error too: the caller's stage must complete.
  private <T extends @Nullable Object> void begin(
      Beginning beginning, CompletableFuture<T> result, Function<Long, T> value) {
    if (result.isDone()) {
      return; // it was cancelled
    }
    try {
      CompletableFuture<Long> begun = beginning.begin();
      if (begun.isDone()) {
        var _ =
            begun
                .thenApply(value)
                .whenComplete((applied, failed) -> complete(result, applied, failed));
      } else {
        completeOnExecutor(begun, result, value);
      }
    } catch (Throwable failed) {
      result.completeExceptionally(failed);
    }
  }

  /**
   * Completes on the executor, because other callers of the store wait for the thread that
   * completes it.
   */
  private <S, T extends @Nullable Object> void completeOnExecutor(
      CompletableFuture<S> begun, CompletableFuture<T> result, Function<S, T> value) {
    var _ =
        begun
            .thenApplyAsync(value, executor)
            .whenComplete((applied, failed) -> complete(result, applied, failed));
  }

  private static <T extends @Nullable Object> void complete(
      CompletableFuture<T> result, T value, @Nullable Throwable failed) {
    if (failed == null) {
      result.complete(value);
    } else {
      Throwable cause = failed.getCause();
      result.completeExceptionally(
          failed instanceof CompletionException && cause != null ? cause : failed);
    }
  }
}
