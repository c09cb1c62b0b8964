package dev.tailwater.store.log.format;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.files.TagCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The codec of operations in a frame's payload; see "Operation" in docs/store-format.md. */
public final class OperationCodec {
  private OperationCodec() {}

  /** What stands before the key: the kind, the lengths, and the numbers of a full put. */
  static byte[] head(Operation operation) {
    ByteBuffer head = ByteBuffer.allocate(operation.headBytes()).order(ByteOrder.LITTLE_ENDIAN);
    head.put(operation.kind()).putInt(operation.key().length);
    if (operation.isPut()) {
      head.putInt(operation.value().length);
    }
    if (operation.kind() == Operation.FULL_PUT) {
      head.putLong(operation.version()).putLong(operation.expiresAtMillis());
      head.putShort((short) operation.tags().length);
    }
    return head.array();
  }

  /**
   * Decodes a whole payload.
   *
   * @throws MalformedPayloadException when the lengths do not add up
   */
  public static List<Operation> decode(byte[] payload, long count)
      throws MalformedPayloadException {
    // Each operation takes at least a removal's head, so a wrong count cannot ask for much memory.
    if (count < 0 || count > payload.length / Operation.REMOVE_HEAD_BYTES) {
      throw new MalformedPayloadException(count + " operations in " + payload.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    List<Operation> operations = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      operations.add(decodeOne(in));
    }
    if (in.hasRemaining()) {
      throw new MalformedPayloadException(in.remaining() + " bytes behind the last operation");
    }
    return operations;
  }

  /** Decodes a damaged payload as far as it makes sense. */
  public static List<Operation> decodeWhatCanBe(byte[] payload, long count) {
    ByteBuffer in = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    List<Operation> operations = new ArrayList<>();
    try {
      while (operations.size() < count && in.hasRemaining()) {
        operations.add(decodeOne(in));
      }
    } catch (MalformedPayloadException behindDamage) {
      return operations;
    }
    return operations;
  }

  private static Operation decodeOne(ByteBuffer in) throws MalformedPayloadException {
    need(in, Operation.REMOVE_HEAD_BYTES);
    byte kind = in.get();
    int keyBytes = in.getInt();
    return switch (kind) {
      case Operation.PUT -> decodePut(in, keyBytes);
      case Operation.FULL_PUT -> decodeFullPut(in, keyBytes);
      case Operation.REMOVE -> Operation.remove(take(in, keyBytes, KeyValueStore.MAX_KEY_BYTES));
      default -> throw new MalformedPayloadException("unknown operation kind " + kind);
    };
  }

  private static Operation decodePut(ByteBuffer in, int keyBytes) throws MalformedPayloadException {
    need(in, Integer.BYTES);
    int valueBytes = in.getInt();
    byte[] key = take(in, keyBytes, KeyValueStore.MAX_KEY_BYTES);
    return Operation.put(key, take(in, valueBytes, KeyValueStore.MAX_VALUE_BYTES));
  }

  private static Operation decodeFullPut(ByteBuffer in, int keyBytes)
      throws MalformedPayloadException {
    need(in, Operation.FULL_PUT_HEAD_BYTES - Operation.REMOVE_HEAD_BYTES);
    int valueBytes = in.getInt();
    long version = in.getLong();
    long expiresAtMillis = in.getLong();
    int tagBytes = Short.toUnsignedInt(in.getShort());
    byte[] key = take(in, keyBytes, KeyValueStore.MAX_KEY_BYTES);
    byte[] value = take(in, valueBytes, KeyValueStore.MAX_VALUE_BYTES);
    byte[] tags = take(in, tagBytes, WriteOptions.MAX_TAG_BYTES);
    if (version < 0 || expiresAtMillis < 0 || TagCodec.decode(tags).isEmpty()) {
      throw new MalformedPayloadException("a put has no proper version, expiry or tags");
    }
    return Operation.fullPut(key, value, version, expiresAtMillis, tags);
  }

  private static byte[] take(ByteBuffer in, int length, int maxLength)
      throws MalformedPayloadException {
    if (length < 0 || length > maxLength) {
      throw new MalformedPayloadException("a key or value of " + length + " bytes");
    }
    need(in, length);
    byte[] taken = new byte[length];
    in.get(taken);
    return taken;
  }

  private static void need(ByteBuffer in, int length) throws MalformedPayloadException {
    if (in.remaining() < length) {
      throw new MalformedPayloadException("an operation is longer than its frame");
    }
  }

  /** Thrown when a payload makes no sense although its checksum is right. */
  public static final class MalformedPayloadException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedPayloadException(String why) {
      super(why);
    }
  }
}
