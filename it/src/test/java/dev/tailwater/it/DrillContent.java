package dev.tailwater.it;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/**
 * What one file of a drill is made to hold, from its first byte on: its number, then lines that
 * only that number has. Whoever knows the number can make the same bytes again.
 */
final class DrillContent {
  /** So many bytes say which file it is. */
  static final int HEAD_BYTES = 16;

  private final Random random;
  private final byte[] head;
  private long madeBytes;

  DrillContent(long file) {
    this.random = new Random(file);
    this.head =
        String.format(Locale.ROOT, "file %010d%n", file).getBytes(StandardCharsets.US_ASCII);
  }

  /** The number in the first bytes of a file; -1 when there is none. */
  static long fileOf(byte[] bytes) {
    String text =
        new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.US_ASCII);
    return text.matches("(?s)file \\d{10}\n") ? Long.parseLong(text.substring(5, 15)) : -1;
  }

  /** The bytes that follow. */
  byte[] next(int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    for (int i = 0; i < lengthBytes; i++) {
      bytes[i] = next();
    }
    return bytes;
  }

  private byte next() {
    long at = madeBytes++;
    if (at < HEAD_BYTES) {
      return head[(int) at];
    }
    return (byte) (at % 80 == 79 ? '\n' : ' ' + random.nextInt(64));
  }
}
