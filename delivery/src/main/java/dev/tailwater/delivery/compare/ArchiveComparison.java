package dev.tailwater.delivery.compare;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.sums.OwnChecksum;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Compares a file, while it is read from its beginning, with what the archive states of its bytes.
 * A block is decided upon when all ranges that have a part of it are complete. Keeps 24 bytes for
 * each block of a range. Not thread-safe.
 */
final class ArchiveComparison {
  /** Of longer ranges nothing is kept: they are not compared. */
  private static final long LONGEST_RANGE_BYTES = 1L << 33;

  private static final byte[] ZEROS = new byte[BlockSums.BLOCK_BYTES];

  private final List<ArchivedContent.Stated> ranges;
  private final List<ByteRange> held;
  private final boolean unwritten;
  private final Decided decided;
  private int next;

  /** The first held range that may have bytes of the next block that is decided upon. */
  private int nextHeld;

  private final Deque<Check> active = new ArrayDeque<>();
  private final Deque<Block> pending = new ArrayDeque<>();
  private final RangeSet same = new RangeSet();
  private final RangeSet different = new RangeSet();

  /** A block as it was read, with the sum of its bytes before {@code toBytes}. */
  record Block(int number, long sum, long toBytes) {
    ByteRange range() {
      return new ByteRange((long) number * BlockSums.BLOCK_BYTES, toBytes);
    }
  }

  /** What the archive tells of a block. */
  enum Verdict {
    SAME,
    DIFFERENT,
    /** It states nothing about some of the bytes. */
    UNSTATED
  }

  /** Takes what is found out. */
  interface Decided {
    /**
     * Notes what the archive tells of a block.
     *
     * @param readSince whether some of it was read since, which the archive does not tell of
     */
    void block(Block block, Verdict verdict, boolean readSince) throws IOException;
  }

  /** A range that is being read. */
  private static final class Check {
    final ArchivedContent.Stated stated;
    final OwnChecksum own = new OwnChecksum();
    int sum;

    Check(ArchivedContent.Stated stated) {
      this.stated = stated;
    }
  }

  /**
   * Creates a comparison.
   *
   * @param unwritten whether the file has the mtime that it was last read with: then equal
   *     checksums are never by chance
   */
  ArchiveComparison(ArchivedContent archived, boolean unwritten, Decided decided) {
    this.ranges = archived.ranges();
    this.held = archived.held();
    this.unwritten = unwritten;
    this.decided = decided;
  }

  /** Adds the next block; {@code bytes} has it from an index on. */
  void add(Block block, byte[] bytes, int from) throws IOException {
    long toBytes = block.toBytes();
    while (next < ranges.size() && ranges.get(next).range().startBytes() < toBytes) {
      ArchivedContent.Stated stated = ranges.get(next++);
      if (stated.range().lengthBytes() <= LONGEST_RANGE_BYTES) {
        active.add(new Check(stated));
      }
    }
    for (Iterator<Check> each = active.iterator(); each.hasNext(); ) {
      Check check = each.next();
      add(check, block, bytes, from);
      ByteRange range = check.stated.range();
      if (range.endBytes() <= toBytes) {
        boolean matches = check.stated.holds().test(check.sum);
        (matches && (unwritten || !check.own.isFound()) ? same : different).add(range);
        each.remove();
      }
    }
    pending.add(block);
    decideUpTo(active.isEmpty() ? toBytes : active.getFirst().stated.range().startBytes());
  }

  /** Adds a block of zeros. */
  void addZeros(Block block) throws IOException {
    add(block, ZEROS, 0);
  }

  private void add(Check check, Block block, byte[] bytes, int from) {
    ByteRange range = check.stated.range();
    ByteRange here = block.range();
    long start = Math.max(range.startBytes(), here.startBytes());
    int length = (int) (Math.min(range.endBytes(), here.endBytes()) - start);
    int at = from + (int) (start - here.startBytes());
    int sum = length == here.lengthBytes() ? (int) block.sum() : crc32c(bytes, at, length);
    check.sum = Crc32cCombination.combine(check.sum, sum, length);
    if (!unwritten && start - range.startBytes() < OwnChecksum.WITHIN_BYTES) {
      check.own.update(bytes, at, length);
    }
  }

  private static int crc32c(byte[] bytes, int from, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, lengthBytes);
    return (int) crc.getValue();
  }

  /** Decides upon all blocks that are left: ranges that are not complete tell nothing. */
  void end() throws IOException {
    decideUpTo(Long.MAX_VALUE);
  }

  private void decideUpTo(long offsetBytes) throws IOException {
    while (!pending.isEmpty() && pending.getFirst().toBytes() <= offsetBytes) {
      Block block = pending.removeFirst();
      List<ByteRange> archived = heldIn(block.range());
      decided.block(block, verdict(archived), !archived.equals(List.of(block.range())));
    }
  }

  /** Returns what the archive has of a block; blocks come in order. */
  private List<ByteRange> heldIn(ByteRange block) {
    List<ByteRange> parts = new ArrayList<>(1);
    while (nextHeld < held.size() && held.get(nextHeld).startBytes() < block.endBytes()) {
      ByteRange range = held.get(nextHeld);
      long start = Math.max(range.startBytes(), block.startBytes());
      long end = Math.min(range.endBytes(), block.endBytes());
      if (start < end) {
        parts.add(new ByteRange(start, end));
      }
      if (range.endBytes() > block.endBytes()) {
        break;
      }
      nextHeld++;
    }
    return parts;
  }

  private Verdict verdict(List<ByteRange> archived) {
    Verdict verdict = Verdict.SAME;
    for (ByteRange part : archived) {
      if (!different.missing(part).equals(List.of(part))) {
        return Verdict.DIFFERENT;
      }
      verdict = same.missing(part).isEmpty() ? verdict : Verdict.UNSTATED;
    }
    return verdict;
  }
}
