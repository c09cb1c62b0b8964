package dev.tailwater.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes that are applied together or not at all, in the order in which they were added. Can be
 * applied more than once. Not thread-safe.
 */
public final class WriteBatch {
  private static final int PER_CHANGE_BYTES = 9;

  /** Of a put with a time to live or tags. */
  private static final int PER_FULL_PUT_BYTES = 27;

  private final List<Change> changes = new ArrayList<>();
  private long sizeBytes;

  /** Adds a put. {@link IllegalArgumentException} when key, value or batch become too long. */
  public WriteBatch put(byte[] key, byte[] value) {
    return put(key, value, WriteOptions.defaults());
  }

  /** Adds a put with its own time to live and tags. */
  public WriteBatch put(byte[] key, byte[] value, WriteOptions options) {
    return add(new Change(key.clone(), Optional.of(value.clone()), options));
  }

  /** Adds a removal. {@link IllegalArgumentException} when key or batch become too long. */
  public WriteBatch remove(byte[] key) {
    return add(new Change(key.clone(), Optional.empty(), WriteOptions.defaults()));
  }

  /**
   * Adds a change, whose arrays nobody may write to any more. {@link IllegalArgumentException} when
   * key, value or batch become too long.
   */
  public WriteBatch add(Change change) {
    Limits.checkKey(change.key());
    change.value().ifPresent(Limits::checkValue);
    int valueBytes = change.value().map(value -> value.length).orElse(0);
    WriteOptions options = change.options();
    boolean isFull = options.timeToLive().isPresent() || !options.tags().isEmpty();
    long size =
        sizeBytes
            + (isFull ? PER_FULL_PUT_BYTES : PER_CHANGE_BYTES)
            + change.key().length
            + valueBytes
            + options.tagBytes();
    Limits.check("batch", size, Limits.MAX_BATCH_BYTES);
    changes.add(change);
    sizeBytes = size;
    return this;
  }

  /** Returns the number of changes. */
  public int size() {
    return changes.size();
  }

  /**
   * Returns the size: the bytes of all keys, values and tags, plus 2 for each tag, plus 9 for each
   * change or 27 for a put with a time to live or tags. A batch takes at most this much in a log.
   */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns all changes, in order. */
  public List<Change> changes() {
    return List.copyOf(changes);
  }
}
