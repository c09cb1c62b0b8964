package dev.tailwater.store.log.write;

import dev.tailwater.store.Change;
import dev.tailwater.store.Entry;
import dev.tailwater.store.Limits;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Operations made of what callers ask for. Thread-safe. */
public final class OperationMaker {
  private final InstantSource clock;

  public OperationMaker(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns what the update makes of the key; nothing when nothing is to be written. */
  public List<Operation> decide(
      Optional<Operation> current, byte[] key, Update update, WriteOptions options) {
    return switch (update.decide(current.map(Operation::toEntry))) {
      case Update.Decision.Put(byte[] value) -> List.of(putOf(key, checkedCopy(value), options));
      case Update.Decision.Replace(byte[] value) ->
          List.of(replace(current, key, checkedCopy(value), options));
      case Update.Decision.Remove() ->
          current.isPresent() ? List.of(Operation.remove(key)) : List.of();
      case Update.Decision.Keep() -> List.of();
    };
  }

  /** The map keeps it, whatever the update does with its array later. */
  private static byte[] checkedCopy(byte[] value) {
    Limits.checkValue(value);
    return value.clone();
  }

  /** Returns a put. Takes over the arrays. */
  public Operation putOf(byte[] key, byte[] value, WriteOptions options) {
    return Operation.put(key, value, expiry(options), options.tags());
  }

  private Operation replace(
      Optional<Operation> current, byte[] key, byte[] value, WriteOptions options) {
    if (current.isEmpty()) {
      return putOf(key, value, options);
    }
    Entry old = current.get().toEntry();
    return Operation.put(
        key,
        value,
        options.timeToLive().isPresent() ? expiry(options) : old.expiresAtMillis(),
        options.tags().isEmpty() ? old.tags() : options.tags());
  }

  private OptionalLong expiry(WriteOptions options) {
    return options
        .timeToLive()
        .map(time -> OptionalLong.of(Math.addExact(clock.millis(), time.toMillis())))
        .orElse(OptionalLong.empty());
  }

  /** Returns the put that made this key's entry, unless the entry has expired. */
  public Optional<Operation> current(PersistentMap map, byte[] key) {
    return map.find(key).filter(put -> !put.isExpired(clock.millis()));
  }

  /** Returns the operations of a batch, in order. */
  public List<Operation> of(WriteBatch batch) {
    List<Operation> operations = new ArrayList<>();
    for (Change change : batch.changes()) {
      operations.add(
          change.value().isPresent()
              ? putOf(change.key(), change.value().get(), change.options())
              : Operation.remove(change.key()));
    }
    return operations;
  }
}
