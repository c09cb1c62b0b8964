package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A value of the store that grows while it is encoded. It can be cleared, so that who encodes
 * thousands needs one. Not thread-safe.
 */
final class Fields {
  private static final int FIRST_BYTES = 512;

  private ByteBuffer value = ByteBuffer.allocate(FIRST_BYTES);

  private ByteBuffer with(int moreBytes) {
    if (value.remaining() < moreBytes) {
      int capacity = Math.max(2 * value.capacity(), value.position() + moreBytes);
      value = ByteBuffer.allocate(capacity).put(value.flip());
    }
    return value;
  }

  void put(byte one) {
    with(Byte.BYTES).put(one);
  }

  void put(boolean one) {
    put((byte) (one ? 1 : 0));
  }

  void put(int one) {
    with(Integer.BYTES).putInt(one);
  }

  void put(long one) {
    with(Long.BYTES).putLong(one);
  }

  /** Adds the length of some bytes, and these. */
  void put(byte[] bytes) {
    with(Short.BYTES + bytes.length).putShort((short) bytes.length).put(bytes);
  }

  /** Adds the length of a path, and its bytes. */
  void put(PosixPath path) {
    int lengthBytes = path.lengthBytes();
    with(Short.BYTES + lengthBytes).putShort((short) lengthBytes);
    path.copyTo(value.array(), value.position());
    value.position(value.position() + lengthBytes);
  }

  /** Adds a part of another value, after its length. */
  void putPart(ByteBuffer part) {
    put(part.remaining());
    with(part.remaining()).put(part.duplicate());
  }

  /** Adds room for the length of a part that is added next; returns where that begins. */
  int beginPart() {
    put(0);
    return value.position();
  }

  /** Notes the length of a part that ends here. */
  void endPart(int from) {
    value.putInt(from - Integer.BYTES, value.position() - from);
  }

  void clear() {
    value.clear();
  }

  byte[] toBytes() {
    return Arrays.copyOf(value.array(), value.position());
  }
}
