package dev.tailwater.delivery.sums;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The checksums of blocks by their numbers; the one of a block of zeros where none was set. A block
 * of zeros takes no memory, so that this follows the bytes that a file has and not the length of
 * its holes. Short files take one array. Not thread-safe.
 */
final class SumTable {
  /** So many checksums are in one array: of a block among zeros, no more memory is lost. */
  private static final int PART = 64;

  /** So many of these arrays are in a group. */
  private static final int GROUP = 64;

  private static final long[] NO_SUMS = {};
  private static final long[][][] NO_GROUPS = {};

  /** The first part, as long as it has to be. */
  private long[] first = NO_SUMS;

  /** The parts behind that, by group. */
  private long[] @Nullable [] @Nullable [] groups = NO_GROUPS;

  long get(int block) {
    if (block < PART) {
      return block < first.length ? first[block] : BlockRun.ZERO_BLOCK;
    }
    int part = block / PART;
    long @Nullable [] @Nullable [] group =
        part / GROUP < groups.length ? groups[part / GROUP] : null;
    long[] sums = group == null ? null : group[part % GROUP];
    return sums == null ? BlockRun.ZERO_BLOCK : sums[block % PART];
  }

  void set(int block, long sum) {
    if (get(block) == sum) {
      return;
    }
    if (block < PART) {
      if (block >= first.length) {
        first = zeroBlocks(first, Math.clamp(2L * first.length, block + 1, PART));
      }
      first[block] = sum;
      return;
    }
    int part = block / PART;
    partFor(part)[block % PART] = sum;
  }

  private long[] partFor(int part) {
    int number = part / GROUP;
    if (number >= groups.length) {
      groups = Arrays.copyOf(groups, Math.max(number + 1, 2 * groups.length));
    }
    long @Nullable [] @Nullable [] group = groups[number];
    if (group == null) {
      group = new long[GROUP][];
      groups[number] = group;
    }
    long[] sums = group[part % GROUP];
    if (sums == null) {
      sums = zeroBlocks(NO_SUMS, PART);
      group[part % GROUP] = sums;
    }
    return sums;
  }

  private static long[] zeroBlocks(long[] begin, int length) {
    long[] sums = Arrays.copyOf(begin, length);
    Arrays.fill(sums, begin.length, length, BlockRun.ZERO_BLOCK);
    return sums;
  }
}
