package dev.tailwater.store;

/** One change of one key. Holds its arrays: whoever makes one copies what is not its own. */
final class Operation {
  static final byte PUT = 1;
  static final byte REMOVE = 2;

  private static final byte[] NO_VALUE = {};

  private final byte kind;
  private final byte[] key;
  private final byte[] value;

  private Operation(byte kind, byte[] key, byte[] value) {
    this.kind = kind;
    this.key = key;
    this.value = value;
  }

  static Operation put(byte[] key, byte[] value) {
    return new Operation(PUT, key, value);
  }

  static Operation remove(byte[] key) {
    return new Operation(REMOVE, key, NO_VALUE);
  }

  byte kind() {
    return kind;
  }

  byte[] key() {
    return key;
  }

  /** Empty for a removal. */
  byte[] value() {
    return value;
  }

  /** Length of this operation in a frame's payload. */
  int encodedBytes() {
    return OperationCodec.headBytes(kind) + key.length + value.length;
  }
}
