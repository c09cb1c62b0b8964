package dev.tailwater.archive;

/**
 * A range of bytes of one stream, from {@code startBytes} (inclusive) to {@code endBytes}
 * (exclusive). Offsets count from the beginning of the file.
 */
public record ByteRange(long startBytes, long endBytes) implements Comparable<ByteRange> {
  /**
   * Checks the offsets.
   *
   * @throws IllegalArgumentException when one is negative, or the end is before the start
   */
  public ByteRange {
    if (startBytes < 0 || endBytes < startBytes) {
      throw new IllegalArgumentException(
          "not a byte range: start " + startBytes + ", end " + endBytes);
    }
  }

  /** Returns how many bytes it has. */
  public long lengthBytes() {
    return endBytes - startBytes;
  }

  /** Returns whether it has no bytes. */
  public boolean isEmpty() {
    return endBytes == startBytes;
  }

  /** Returns whether every byte of the other range lies in this one. */
  public boolean contains(ByteRange other) {
    return startBytes <= other.startBytes && other.endBytes <= endBytes;
  }

  /** Returns whether at least one byte lies in both ranges. */
  public boolean overlaps(ByteRange other) {
    return Math.max(startBytes, other.startBytes) < Math.min(endBytes, other.endBytes);
  }

  /** Compares ranges by start, then by end. */
  @Override
  public int compareTo(ByteRange other) {
    int byStart = Long.compare(startBytes, other.startBytes);
    return byStart != 0 ? byStart : Long.compare(endBytes, other.endBytes);
  }

  /** Returns {@code [start, end)}. */
  @Override
  public String toString() {
    return "[" + startBytes + ", " + endBytes + ")";
  }
}
