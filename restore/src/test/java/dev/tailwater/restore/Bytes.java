package dev.tailwater.restore;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Contents of files for tests. */
final class Bytes {
  private Bytes() {}

  static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
