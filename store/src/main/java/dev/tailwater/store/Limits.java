package dev.tailwater.store;

import java.nio.charset.StandardCharsets;

/** Limits of what a store takes; checked before anything is written. */
public final class Limits {
  /** Longest key. */
  static final int MAX_KEY_BYTES = 64 * 1024;

  /** Longest value. */
  static final int MAX_VALUE_BYTES = 64 * 1024 * 1024;

  /** Longest batch. */
  static final int MAX_BATCH_BYTES = 128 * 1024 * 1024;

  private Limits() {}

  /** Throws {@link IllegalArgumentException} when a key is too long. */
  public static void checkKey(byte[] key) {
    check("key", key.length, MAX_KEY_BYTES);
  }

  /** Throws {@link IllegalArgumentException} when a value is too long. */
  public static void checkValue(byte[] value) {
    check("value", value.length, MAX_VALUE_BYTES);
  }

  /** Throws {@link IllegalArgumentException} when a tag is empty, too long or not Unicode. */
  public static void checkTag(String tag) {
    check("tag", tagBytes(tag), WriteOptions.MAX_TAG_BYTES - 2);
  }

  /**
   * Returns the length of a tag in UTF-8.
   *
   * @throws IllegalArgumentException when it is empty, or has half of a surrogate pair: UTF-8 has
   *     no form for that, and tags that differ only there would become the same one
   */
  static int tagBytes(String tag) {
    if (tag.isEmpty()) {
      throw new IllegalArgumentException("a tag is empty");
    }
    if (tag.codePoints().anyMatch(Limits::isHalfOfAPair)) {
      throw new IllegalArgumentException(
          "a tag is not Unicode text: it has half of a surrogate pair");
    }
    return tag.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isHalfOfAPair(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }

  static void check(String what, long lengthBytes, int maxBytes) {
    if (lengthBytes > maxBytes) {
      throw new IllegalArgumentException(
          "a " + what + " of " + lengthBytes + " bytes; at most " + maxBytes + " are allowed");
    }
  }
}
