package dev.tailwater.archive.pack;

import dev.tailwater.posix.PosixPath;
import java.util.Arrays;

/**
 * A growing array of bytes with numbers of variable length (LEB128): seven bits a byte, lowest
 * first, the highest bit set in all but the last byte.
 */
final class VarintWriter {
  private static final int FIRST_BYTES = 64;

  private byte[] bytes;
  private int lengthBytes;

  VarintWriter() {
    this(FIRST_BYTES);
  }

  /**
   * Creates an array.
   *
   * @param expectedBytes about how much will be written, one or more
   */
  VarintWriter(int expectedBytes) {
    this.bytes = new byte[expectedBytes];
  }

  /** Makes room for more bytes, and returns where they begin. */
  private int extend(int moreBytes) {
    int at = lengthBytes;
    lengthBytes = Math.addExact(at, moreBytes);
    if (lengthBytes > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, lengthBytes));
    }
    return at;
  }

  private void write(int value) {
    int at = extend(1);
    bytes[at] = (byte) value;
  }

  /** Writes a number; negative ones count as unsigned. */
  void unsigned(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    write((int) rest);
  }

  /** Writes a number such that those near zero, of either sign, are short. */
  void signed(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  /** Writes four bytes, lowest first. */
  void fixed(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      write(value >>> shift);
    }
  }

  /** Writes the length of the bytes, and the bytes. */
  void text(byte[] text) {
    unsigned(text.length);
    int at = extend(text.length);
    System.arraycopy(text, 0, bytes, at, text.length);
  }

  /** Writes the length of a text of ASCII characters, and these. */
  void ascii(String text) {
    unsigned(text.length());
    int at = extend(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[at + i] = (byte) text.charAt(i);
    }
  }

  /** Writes the length of a path, and its bytes. */
  void text(PosixPath path) {
    unsigned(path.lengthBytes());
    int at = extend(path.lengthBytes());
    path.copyTo(bytes, at);
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, lengthBytes);
  }
}
