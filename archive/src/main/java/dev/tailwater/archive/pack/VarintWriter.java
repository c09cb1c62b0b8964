package dev.tailwater.archive.pack;

import java.io.ByteArrayOutputStream;

/**
 * A growing array of bytes with numbers of variable length (LEB128): seven bits a byte, lowest
 * first, the highest bit set in all but the last byte.
 */
final class VarintWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Writes a number; negative ones count as unsigned. */
  void unsigned(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  /** Writes a number such that those near zero, of either sign, are short. */
  void signed(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  /** Writes four bytes, lowest first. */
  void fixed(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      bytes.write(value >>> shift);
    }
  }

  /** Writes the length of the bytes, and the bytes. */
  void text(byte[] text) {
    unsigned(text.length);
    bytes.writeBytes(text);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
