package dev.tailwater.restore;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Contents of files for tests. */
public final class Bytes {
  private Bytes() {}

  public static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  public static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
