package dev.tailwater.store;

/**
 * One put of {@link KeyValueStore#putAll}. Holds its arrays and does not copy them: they must stay
 * as they are until the call has returned.
 *
 * <pre>{@code
 * store.putAll(List.of(BulkPut.of(key, value)), WriteOptions.defaults());
 * }</pre>
 *
 * @param options time to live and tags; the durability is not looked at
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

  /** Without an end and without tags. */
  public static BulkPut of(byte[] key, byte[] value) {
    return new BulkPut(key, value, WriteOptions.defaults());
  }
}
