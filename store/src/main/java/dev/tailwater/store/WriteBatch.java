package dev.tailwater.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes that become durable together or not at all, in the order in which they were added. Not
 * thread-safe. Can be applied more than once.
 */
public final class WriteBatch {
  private final List<Operation> operations = new ArrayList<>();
  private long sizeBytes;

  /** Adds a put. {@link IllegalArgumentException} when key, value or batch become too long. */
  public WriteBatch put(byte[] key, byte[] value) {
    checkLength("key", key.length, KeyValueStore.MAX_KEY_BYTES);
    checkLength("value", value.length, KeyValueStore.MAX_VALUE_BYTES);
    return add(Operation.put(key.clone(), value.clone()));
  }

  /** Adds a removal. {@link IllegalArgumentException} when key or batch become too long. */
  public WriteBatch remove(byte[] key) {
    checkLength("key", key.length, KeyValueStore.MAX_KEY_BYTES);
    return add(Operation.remove(key.clone()));
  }

  /** Number of operations. */
  public int size() {
    return operations.size();
  }

  /** Bytes that the batch takes in the log, without the frame around it. */
  public long sizeBytes() {
    return sizeBytes;
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  private WriteBatch add(Operation operation) {
    checkLength("batch", sizeBytes + operation.encodedBytes(), KeyValueStore.MAX_BATCH_BYTES);
    operations.add(operation);
    sizeBytes += operation.encodedBytes();
    return this;
  }

  private static void checkLength(String what, long lengthBytes, int maxBytes) {
    if (lengthBytes > maxBytes) {
      throw new IllegalArgumentException(
          "a " + what + " of " + lengthBytes + " bytes; at most " + maxBytes + " are allowed");
    }
  }
}
