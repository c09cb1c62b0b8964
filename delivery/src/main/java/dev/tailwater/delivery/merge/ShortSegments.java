package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.deliver.HeldFrames;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one stream at one destination that may be merged, in order. They take 21 bytes
 * each, since ten thousand streams may have a few. Not thread-safe.
 */
final class ShortSegments {
  private static final int FIRST_CAPACITY = 4;

  private long[] starts = new long[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private int[] checksums = new int[FIRST_CAPACITY];
  private byte[] tiers = new byte[FIRST_CAPACITY];
  private @Nullable HeldFrames[] frames = new HeldFrames[FIRST_CAPACITY];
  private int count;

  /**
   * A durable segment.
   *
   * @param rawCrc32c CRC-32C of its raw bytes
   * @param tier how often its bytes were merged: 0 for a segment as it was delivered
   * @param frames its frames, if they were kept
   */
  record Part(ByteRange range, int rawCrc32c, int tier, Optional<HeldFrames> frames) {}

  int count() {
    return count;
  }

  long startBytes(int index) {
    return starts[index];
  }

  long lengthBytes(int index) {
    return lengths[index];
  }

  long endBytes(int index) {
    return starts[index] + lengths[index];
  }

  int tier(int index) {
    return tiers[index];
  }

  Part part(int index) {
    return new Part(
        new ByteRange(startBytes(index), endBytes(index)),
        checksums[index],
        tiers[index],
        Optional.ofNullable(frames[index]));
  }

  /** Adds a segment; false when it overlaps another, and is not merged. */
  boolean add(Part part) {
    long start = part.range().startBytes();
    int at = count;
    while (at > 0 && starts[at - 1] >= start) {
      at--;
    }
    boolean overlaps =
        part.range().lengthBytes() > Integer.MAX_VALUE
            || (at > 0 && endBytes(at - 1) > start)
            || (at < count && starts[at] < part.range().endBytes());
    if (overlaps) {
      return false;
    }
    if (count == starts.length) {
      resize(count * 2);
    }
    move(at, at + 1);
    count++;
    starts[at] = start;
    lengths[at] = (int) part.range().lengthBytes();
    checksums[at] = part.rawCrc32c();
    tiers[at] = (byte) Math.min(part.tier(), Byte.MAX_VALUE);
    frames[at] = part.frames().orElse(null);
    return true;
  }

  private void resize(int capacity) {
    starts = Arrays.copyOf(starts, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    checksums = Arrays.copyOf(checksums, capacity);
    tiers = Arrays.copyOf(tiers, capacity);
    frames = Arrays.copyOf(frames, capacity);
  }

  /** Moves all elements from an index to the end. */
  private void move(int from, int to) {
    int length = count - from;
    System.arraycopy(starts, from, starts, to, length);
    System.arraycopy(lengths, from, lengths, to, length);
    System.arraycopy(checksums, from, checksums, to, length);
    System.arraycopy(tiers, from, tiers, to, length);
    System.arraycopy(frames, from, frames, to, length);
  }

  /** Removes the segments within the range, and releases their frames. */
  void remove(ByteRange range) {
    int from = 0;
    while (from < count && starts[from] < range.startBytes()) {
      from++;
    }
    int to = from;
    while (to < count && endBytes(to) <= range.endBytes()) {
      HeldFrames held = frames[to];
      if (held != null) {
        held.release();
      }
      to++;
    }
    move(to, from);
    int before = count;
    count -= to - from;
    Arrays.fill(frames, count, before, null);
    if (starts.length > FIRST_CAPACITY && count < starts.length / 4) {
      resize(Math.max(FIRST_CAPACITY, count * 2));
    }
  }

  /** Returns for how many segments memory is allocated. */
  int capacity() {
    return starts.length;
  }
}
