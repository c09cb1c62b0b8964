package dev.tailwater.store.datafile.write;

import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Limits;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.format.RecordData;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The writing calls of an open store, made into requests. Thread-safe. */
public final class WriteSide {
  private final WriteExecutor executor;
  private final Durability durability;
  private final RecordMaker maker;

  /**
   * Makes requests for this executor.
   *
   * @param durability of writes whose options do not say another
   */
  public WriteSide(WriteExecutor executor, Durability durability, InstantSource clock) {
    this.executor = executor;
    this.durability = durability;
    this.maker = new RecordMaker(clock);
  }

  private Durability durabilityOf(WriteOptions options) {
    return options.durability().orElse(durability);
  }

  /** Puts a value; returns its version. */
  public long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    Durability wanted = durabilityOf(options);
    RecordData data = maker.putOf(key, value, options);
    if (!(wanted instanceof Durability.Group)) {
      long version = executor.putUnwaited(data, wanted);
      if (version != 0) {
        return version;
      }
    }
    return executor.execute(WriteRequest.put(data, wanted));
  }

  /** Starts a put; see {@link WriteExecutor#executeAsync}. */
  public CompletableFuture<Long> putAsync(byte[] key, byte[] value, WriteOptions options)
      throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    return executor.executeAsync(
        WriteRequest.put(maker.putOf(key, value, options), durabilityOf(options)));
  }

  /** Updates a key; returns the new version, or empty when nothing was changed. */
  public OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    long version = executor.execute(updateRequest(key, update, options));
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  /** Starts an update, with 0 for empty; see {@link WriteExecutor#executeAsync}. */
  public CompletableFuture<Long> updateAsync(byte[] key, Update update, WriteOptions options)
      throws IOException {
    return executor.executeAsync(updateRequest(key, update, options));
  }

  private WriteRequest updateRequest(byte[] key, Update update, WriteOptions options) {
    Limits.checkKey(key);
    Decider decider = (current, sequence) -> maker.decide(key, current, sequence, update, options);
    return new WriteRequest(List.of(new KeyChange(key, decider)), true, durabilityOf(options));
  }

  /** Makes all changes of a batch, or none. */
  public void apply(WriteBatch batch, WriteOptions options) throws IOException {
    executor.execute(batchRequest(batch, options));
  }

  /** Starts a batch; see {@link WriteExecutor#executeAsync}. */
  public CompletableFuture<Long> applyAsync(WriteBatch batch, WriteOptions options)
      throws IOException {
    return executor.executeAsync(batchRequest(batch, options));
  }

  private WriteRequest batchRequest(WriteBatch batch, WriteOptions options) {
    List<KeyChange> changes =
        batch.changes().stream()
            .map(
                change -> {
                  RecordData data = maker.recordOf(change);
                  return new KeyChange(change.key(), (current, sequence) -> data);
                })
            .toList();
    return new WriteRequest(changes, false, durabilityOf(options));
  }

  /** Removes the key if it still has this version and has expired; returns whether it did. */
  public boolean removeExpired(byte[] key, long version) throws IOException {
    Decider decider =
        (current, sequence) ->
            current != null && sequence == version && maker.isExpired(current)
                ? RecordData.remove(key)
                : null;
    return executor.execute(
            new WriteRequest(List.of(new KeyChange(key, decider)), true, Durability.NONE))
        != 0;
  }

  /** Makes many puts, each on its own. */
  public void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException {
    executor.checkOpen();
    try (BulkWriter bulk = new BulkWriter(executor, durabilityOf(options))) {
      for (BulkPut put : puts) {
        bulk.add(maker.putOf(put.key(), put.value(), put.options()));
      }
      bulk.flush();
    }
  }
}
