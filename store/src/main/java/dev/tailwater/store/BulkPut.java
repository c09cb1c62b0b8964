package dev.tailwater.store;

/**
 * A put of {@link KeyValueStore#putAll}. Does not copy its arrays: they must not change until the
 * call has returned.
 *
 * <pre>{@code
 * store.putAll(List.of(BulkPut.of(key, value)), WriteOptions.defaults());
 * }</pre>
 *
 * @param key the key; at most {@link KeyValueStore#MAX_KEY_BYTES}
 * @param value its value; at most {@link KeyValueStore#MAX_VALUE_BYTES}
 * @param options time to live and tags; the durability is ignored
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record BulkPut(byte[] key, byte[] value, WriteOptions options) {
  /**
   * Checks the lengths.
   *
   * @throws IllegalArgumentException when key or value is too long
   */
  public BulkPut {
    Limits.checkKey(key);
    Limits.checkValue(value);
  }

  /** Returns a put without expiry and without tags. */
  public static BulkPut of(byte[] key, byte[] value) {
    return new BulkPut(key, value, WriteOptions.defaults());
  }
}
