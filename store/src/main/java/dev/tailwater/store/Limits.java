package dev.tailwater.store;

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

  static void check(String what, long lengthBytes, int maxBytes) {
    if (lengthBytes > maxBytes) {
      throw new IllegalArgumentException(
          "a " + what + " of " + lengthBytes + " bytes; at most " + maxBytes + " are allowed");
    }
  }
}
