package dev.tailwater.archive.open;

import dev.tailwater.archive.seal.GrowingArray;
import java.util.Arrays;

/** An array that grows no further than it must, and spoils what it was before. */
final class TestArray implements GrowingArray {
  private final int mostBytes;
  private byte[] bytes;

  TestArray(int firstBytes, int mostBytes) {
    this.bytes = new byte[firstBytes];
    this.mostBytes = mostBytes;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int mostBytes() {
    return mostBytes;
  }

  @Override
  public byte[] grow(int leastBytes, int usedBytes) {
    if (leastBytes <= bytes.length || leastBytes > mostBytes) {
      throw new AssertionError(leastBytes + " of " + bytes.length + " to " + mostBytes);
    }
    byte[] before = bytes;
    bytes = new byte[leastBytes];
    System.arraycopy(before, 0, bytes, 0, usedBytes);
    Arrays.fill(before, (byte) 0x5a);
    return bytes;
  }
}
