package dev.tailwater.delivery.stream;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.sums.BlockSums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * What the archive states of those bytes of a stream whose checksums are lost. Not changed any
 * more.
 *
 * @param ranges in the order of their starts; each begins behind the end of the last but one
 * @param held the bytes that the archive has and whose checksums are lost, in order; everything
 *     else is known, or was read since
 * @param readWithNanos the latest mtime that the file had when bytes were read, if it is known
 */
public record ArchivedContent(
    List<Stated> ranges, List<ByteRange> held, OptionalLong readWithNanos) {
  /**
   * A range of which the archive states a checksum.
   *
   * @param holds returns whether it holds bytes with this CRC-32C
   */
  public record Stated(ByteRange range, IntPredicate holds) {}

  public ArchivedContent {
    ranges = List.copyOf(ranges);
    held = List.copyOf(held);
  }

  /** Returns where the bytes end that the archive has. */
  public long endBytes() {
    return held.isEmpty() ? 0 : held.getLast().endBytes();
  }

  /** Returns where the last block ends that the archive has bytes of. */
  public long blocksEndBytes() {
    return Math.ceilDiv(endBytes(), BlockSums.BLOCK_BYTES) * BlockSums.BLOCK_BYTES;
  }

  /** Chooses ranges that cover all that any of these do, so that no byte is in three of them. */
  public static ArchivedContent of(
      List<Stated> stated, List<ByteRange> held, OptionalLong readWithNanos) {
    List<Stated> sorted = new ArrayList<>(stated);
    sorted.sort(Comparator.comparingLong(one -> one.range().startBytes()));
    List<Stated> chosen = new ArrayList<>();
    long coveredBytes = 0;
    int next = 0;
    while (next < sorted.size()) {
      coveredBytes = Math.max(coveredBytes, sorted.get(next).range().startBytes());
      Stated furthest = sorted.get(next);
      while (next < sorted.size() && sorted.get(next).range().startBytes() <= coveredBytes) {
        Stated one = sorted.get(next++);
        furthest = one.range().endBytes() > furthest.range().endBytes() ? one : furthest;
      }
      if (furthest.range().endBytes() > coveredBytes) {
        chosen.add(furthest);
        coveredBytes = furthest.range().endBytes();
      }
    }
    return new ArchivedContent(chosen, held, readWithNanos);
  }
}
