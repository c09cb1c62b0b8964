package dev.tailwater.archive;

/**
 * Bytes of one stream from {@code startBytes} (inclusive) to {@code endBytes} (exclusive), counted
 * from the beginning of the file.
 *
 * @param startBytes 0 or more
 * @param endBytes {@code startBytes} or more
 */
public record ByteRange(long startBytes, long endBytes) implements Comparable<ByteRange> {
  public ByteRange {
    if (startBytes < 0 || endBytes < startBytes) {
      throw new IllegalArgumentException(
          "not a byte range: start " + startBytes + ", end " + endBytes);
    }
  }

  public long lengthBytes() {
    return endBytes - startBytes;
  }

  public boolean isEmpty() {
    return endBytes == startBytes;
  }

  /** Whether every byte of the other lies in this range. */
  public boolean contains(ByteRange other) {
    return startBytes <= other.startBytes && other.endBytes <= endBytes;
  }

  /** Whether at least one byte lies in both. */
  public boolean overlaps(ByteRange other) {
    return Math.max(startBytes, other.startBytes) < Math.min(endBytes, other.endBytes);
  }

  /** By start, then by end. */
  @Override
  public int compareTo(ByteRange other) {
    int byStart = Long.compare(startBytes, other.startBytes);
    return byStart != 0 ? byStart : Long.compare(endBytes, other.endBytes);
  }

  /** {@code [start, end)}. */
  @Override
  public String toString() {
    return "[" + startBytes + ", " + endBytes + ")";
  }
}
