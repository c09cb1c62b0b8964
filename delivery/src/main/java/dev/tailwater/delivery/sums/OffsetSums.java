package dev.tailwater.delivery.sums;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Checksums by offset, of which there are seldom more than one: an array of both in turn, sorted by
 * offset. Not thread-safe.
 */
final class OffsetSums {
  private static final long[] NONE = {};
  private static final long NOTHING = -1;
  private static final long EVERYTHING = -2;

  private long[] offsetsAndSums = NONE;

  /** The offset whose checksum somebody needs. */
  private long neededBytes = NOTHING;

  /** Keeps every checksum until it is said which one is needed. */
  void needAny() {
    neededBytes = EVERYTHING;
  }

  /** Keeps the checksum of one offset. */
  void need(long offsetBytes) {
    neededBytes = offsetBytes;
  }

  void needNone() {
    neededBytes = NOTHING;
  }

  OptionalLong find(long offsetBytes) {
    int at = indexOf(offsetBytes);
    return at < offsetsAndSums.length && offsetsAndSums[at] == offsetBytes
        ? OptionalLong.of(offsetsAndSums[at + 1])
        : OptionalLong.empty();
  }

  /** Adds a checksum, or replaces the one of the same offset. */
  void put(long offsetBytes, long sum) {
    int at = indexOf(offsetBytes);
    if (at == offsetsAndSums.length || offsetsAndSums[at] != offsetBytes) {
      long[] more = Arrays.copyOf(offsetsAndSums, offsetsAndSums.length + 2);
      System.arraycopy(offsetsAndSums, at, more, at + 2, offsetsAndSums.length - at);
      more[at] = offsetBytes;
      offsetsAndSums = more;
    }
    offsetsAndSums[at + 1] = sum;
  }

  /** Removes the checksums of lower offsets that nobody needs. */
  void removeBelow(long offsetBytes) {
    int at = indexOf(offsetBytes);
    if (at == 0 || neededBytes == EVERYTHING) {
      return;
    }
    OptionalLong needed = neededBytes < offsetBytes ? find(neededBytes) : OptionalLong.empty();
    offsetsAndSums = Arrays.copyOfRange(offsetsAndSums, at, offsetsAndSums.length);
    if (needed.isPresent()) {
      put(neededBytes, needed.getAsLong());
    }
  }

  /** Returns where the first offset is that is not lower; most are asked for the last ones. */
  private int indexOf(long offsetBytes) {
    int at = offsetsAndSums.length;
    while (at > 0 && offsetsAndSums[at - 2] >= offsetBytes) {
      at -= 2;
    }
    return at;
  }
}
