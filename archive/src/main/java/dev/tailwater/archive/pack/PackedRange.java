package dev.tailwater.archive.pack;

import dev.tailwater.archive.ByteRange;

/**
 * A range of a stream in a pack.
 *
 * @param number the number of the stream in the group
 * @param range its bytes, at least one
 * @param rawCrc32c the CRC-32C of the bytes
 * @param modificationTimeNanos the file's mtime when they were read, nanoseconds since 1970
 */
public record PackedRange(int number, ByteRange range, int rawCrc32c, long modificationTimeNanos) {
  public PackedRange {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a pack holds no empty range: " + range);
    }
  }
}
