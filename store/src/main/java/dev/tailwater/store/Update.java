package dev.tailwater.store;

import java.util.Optional;

/**
 * Decides what becomes of a key, from what it is. Must have no effects: it is asked again when the
 * key changes meanwhile, and only the last answer counts. May be called while other writers wait,
 * so it must not wait itself, nor use the store.
 */
@FunctionalInterface
public interface Update {
  /** What is to be done; {@code current} is empty when there is no such key, or it has expired. */
  Decision decide(Optional<Entry> current);

  /** What becomes of the key. */
  sealed interface Decision {
    /** It gets this value, with the time to live and the tags of the write. */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    record Put(byte[] value) implements Decision {}

    /** It gets this value, and keeps expiry and tags unless the write gives others. */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    record Replace(byte[] value) implements Decision {}

    /** It is removed. */
    record Remove() implements Decision {}

    /** It stays as it is, and nothing is written. */
    record Keep() implements Decision {}
  }
}
