package dev.tailwater.io;

/**
 * A range of bytes of a file: an offset and a length.
 *
 * @param offsetBytes 0 or more
 * @param lengthBytes 0 or more; offset and length together fit in a long
 */
public record FileRange(long offsetBytes, long lengthBytes) {
  /** {@link IllegalArgumentException} for a negative number, or an end that no file can have. */
  public FileRange {
    if (offsetBytes < 0 || lengthBytes < 0 || offsetBytes + lengthBytes < 0) {
      throw new IllegalArgumentException(
          "no range of a file: %d bytes from offset %d on".formatted(lengthBytes, offsetBytes));
    }
  }

  /** Returns the range from one offset (inclusive) to another (exclusive). */
  public static FileRange between(long startBytes, long endBytes) {
    return new FileRange(startBytes, endBytes - startBytes);
  }

  /** Returns the offset after the last byte. */
  public long endBytes() {
    return offsetBytes + lengthBytes;
  }

  /** Returns whether it has no bytes. */
  public boolean isEmpty() {
    return lengthBytes == 0;
  }

  @Override
  public String toString() {
    return lengthBytes + " bytes at offset " + offsetBytes;
  }
}
