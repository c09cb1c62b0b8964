package dev.tailwater.store.datafile.write;

import dev.tailwater.store.Change;
import dev.tailwater.store.Entry;
import dev.tailwater.store.Limits;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.format.RecordData;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Makes records of what callers want to write. Thread-safe. */
final class RecordMaker {
  private final InstantSource clock;

  RecordMaker(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the record that the update makes; null when nothing is to be written. */
  @Nullable RecordData decide(
      byte[] key, @Nullable RecordData found, long sequence, Update update, WriteOptions options) {
    RecordData current = found == null || isExpired(found) ? null : found;
    Optional<Entry> entry =
        current == null ? Optional.empty() : Optional.of(current.toEntry(sequence));
    return switch (update.decide(entry)) {
      case Update.Decision.Put(byte[] value) -> putOf(key, checked(value), options);
      case Update.Decision.Replace(byte[] value) ->
          current == null
              ? putOf(key, checked(value), options)
              : replacing(current, checked(value), options);
      case Update.Decision.Remove() -> current == null ? null : RecordData.remove(key);
      case Update.Decision.Keep() -> null;
    };
  }

  boolean isExpired(RecordData data) {
    return data.isExpired(clock.millis());
  }

  private static byte[] checked(byte[] value) {
    Limits.checkValue(value);
    return value;
  }

  private RecordData replacing(RecordData current, byte[] value, WriteOptions options) {
    RecordData put = putOf(current.key(), value, options);
    return new RecordData(
        false,
        current.key(),
        value,
        options.timeToLive().isPresent() ? put.expiresAtMillis() : current.expiresAtMillis(),
        options.tags().isEmpty() ? current.tags() : put.tags());
  }

  RecordData putOf(byte[] key, byte[] value, WriteOptions options) {
    OptionalLong expiry =
        options
            .timeToLive()
            .map(time -> OptionalLong.of(Math.addExact(clock.millis(), time.toMillis())))
            .orElse(OptionalLong.empty());
    return RecordData.put(key, value, expiry, options.tags());
  }

  RecordData recordOf(Change change) {
    return change
        .value()
        .map(value -> putOf(change.key(), value, change.options()))
        .orElseGet(() -> RecordData.remove(change.key()));
  }
}
