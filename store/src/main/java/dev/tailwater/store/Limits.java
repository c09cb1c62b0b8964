package dev.tailwater.store;

import java.nio.charset.StandardCharsets;

/** Refuses what is too long, before anything of it is written. */
public final class Limits {
  private Limits() {}

  /** {@link IllegalArgumentException} when it is longer than a key may be. */
  public static void checkKey(byte[] key) {
    check("key", key.length, KeyValueStore.MAX_KEY_BYTES);
  }

  /** {@link IllegalArgumentException} when it is longer than a value may be. */
  public static void checkValue(byte[] value) {
    check("value", value.length, KeyValueStore.MAX_VALUE_BYTES);
  }

  /** {@link IllegalArgumentException} when nothing can have this tag: it is empty or too long. */
  public static void checkTag(String tag) {
    int bytes = tag.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0) {
      throw new IllegalArgumentException("a tag is empty");
    }
    check("tag", bytes, WriteOptions.MAX_TAG_BYTES - 2);
  }

  static void check(String what, long lengthBytes, int maxBytes) {
    if (lengthBytes > maxBytes) {
      throw new IllegalArgumentException(
          "a " + what + " of " + lengthBytes + " bytes; at most " + maxBytes + " are allowed");
    }
  }
}
