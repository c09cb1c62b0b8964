package dev.tailwater.archive.header;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.archive.FileOwner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Addition 2 of the segment header, which tells the owner of the file: user id (4), group id (4),
 * length of the user's name (1), length of the group's name (1), both names.
 */
final class OwnerAddition {
  static final short TYPE = 2;
  private static final int FIXED_BYTES = 4 + 4 + 1 + 1;
  static final int MAX_BYTES = FIXED_BYTES + 2 * FileOwner.MAX_NAME_BYTES;

  private OwnerAddition() {}

  static byte[] encode(FileOwner owner) {
    byte[] user = owner.user().getBytes(UTF_8);
    byte[] group = owner.group().getBytes(UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + user.length + group.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) owner.userId())
        .putInt((int) owner.groupId())
        .put((byte) user.length)
        .put((byte) group.length)
        .put(user)
        .put(group)
        .array();
  }

  /** Returns the owner; empty when the value is not one. What follows the names is ignored. */
  static Optional<FileOwner> decode(byte[] value) {
    if (value.length < FIXED_BYTES) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    long userId = Integer.toUnsignedLong(in.getInt());
    long groupId = Integer.toUnsignedLong(in.getInt());
    byte[] user = new byte[Byte.toUnsignedInt(in.get())];
    byte[] group = new byte[Byte.toUnsignedInt(in.get())];
    if (in.remaining() < user.length + group.length) {
      return Optional.empty();
    }
    in.get(user).get(group);
    try {
      return Optional.of(
          new FileOwner(userId, groupId, new String(user, UTF_8), new String(group, UTF_8)));
    } catch (IllegalArgumentException noOwner) {
      return Optional.empty();
    }
  }
}
