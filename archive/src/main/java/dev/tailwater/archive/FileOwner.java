package dev.tailwater.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Who owns a file: ids as the machine of the agent knew them, and names, which mean the same on
 * other machines. Restoring goes by the names where they are known.
 *
 * @param userId 0 to 2^32 - 2
 * @param groupId 0 to 2^32 - 2
 * @param user the name of the user; empty if it is not known
 * @param group the name of the group; empty if it is not known
 */
public record FileOwner(long userId, long groupId, String user, String group) {
  /** The greatest id: the next one means "leave as it is" to chown(2). */
  public static final long MAX_ID = 0xFFFF_FFFEL;

  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  public FileOwner {
    requireId(userId);
    requireId(groupId);
    requireName(user);
    requireName(group);
  }

  private static void requireId(long id) {
    if (id < 0 || id > MAX_ID) {
      throw new IllegalArgumentException("not the id of a user or group: " + id);
    }
  }

  private static void requireName(String name) {
    if (name.getBytes(UTF_8).length > MAX_NAME_BYTES || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the name of a user or group is longer than " + MAX_NAME_BYTES + " bytes, or has a NUL");
    }
  }
}
