package dev.tailwater.archive.pack;

import dev.tailwater.archive.ByteRange;

/**
 * A range of a stream in a pack.
 *
 * @param number the number of the stream in the group
 * @param range its bytes, at least one
 * @param rawCrc32c the CRC-32C of the bytes
 * @param modificationTimeNanos the file's mtime when they were read, nanoseconds since 1970
 * @param revision 0 for the first bytes of the range; bytes with a higher revision replace them
 * @param olderMillis how long before the pack the range was sealed, milliseconds; more than 0 only
 *     where packs were joined
 */
public record PackedRange(
    int number,
    ByteRange range,
    int rawCrc32c,
    long modificationTimeNanos,
    long revision,
    long olderMillis) {
  public PackedRange {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a pack holds no empty range: " + range);
    }
    if (revision < 0 || olderMillis < 0) {
      throw new IllegalArgumentException(
          "revision " + revision + ", sealed " + olderMillis + " ms before");
    }
  }

  /** Returns the same range of a stream with another number. */
  public PackedRange withNumber(int newNumber) {
    return new PackedRange(
        newNumber, range, rawCrc32c, modificationTimeNanos, revision, olderMillis);
  }

  /** Creates a range of first bytes, sealed with its pack. */
  public PackedRange(int number, ByteRange range, int rawCrc32c, long modificationTimeNanos) {
    this(number, range, rawCrc32c, modificationTimeNanos, 0, 0);
  }

  /** Returns the range of a file that had another mtime when it was read. */
  public PackedRange withModificationTime(long timeNanos) {
    return new PackedRange(number, range, rawCrc32c, timeNanos, revision, olderMillis);
  }
}
