package dev.tailwater.store;

import java.util.Optional;

/**
 * Decides how a key changes, from its current entry. Must have no side effects: it is called again
 * when the key changes meanwhile, and only the last decision counts. Other writers may wait for it,
 * so it must neither wait nor use the store; a write to the store from it throws {@link
 * IllegalStateException}. It may run in any thread, and not in two at once for the same call.
 */
@FunctionalInterface
public interface Update {
  /** Returns the decision; {@code current} is empty when the key is missing or has expired. */
  Decision decide(Optional<Entry> current);

  /** How the key changes. */
  sealed interface Decision {
    /** The key gets this value, with the time to live and the tags of the write. */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    record Put(byte[] value) implements Decision {}

    /** The key gets this value, and keeps expiry and tags unless the write sets others. */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    record Replace(byte[] value) implements Decision {}

    /** The key is removed. */
    record Remove() implements Decision {}

    /** The key stays as it is, and nothing is written. */
    record Keep() implements Decision {}
  }
}
