package dev.tailwater.delivery.sums;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The checksums of a stream's bytes as they were read for delivery, one for each block of 64 KiB,
 * and the blocks of which the file has other bytes by now. Eight bytes for each block that is not
 * all zeros, in memory and in the state directory, so that holes take nothing; nothing beyond 256
 * GiB of a file. Thread-safe; nothing here blocks.
 */
public final class BlockSums {
  /** How much is delivered again when one byte is rewritten. */
  public static final int BLOCK_BYTES = 64 * 1024;

  /** The most blocks of a stream that are remembered. */
  public static final int MOST_BLOCKS = 1 << 22;

  /** So many checksums are saved together. */
  static final int CHUNK_BLOCKS = 1024;

  private static final OptionalLong NONE = OptionalLong.empty();

  /** The checksums of files up to this length are saved with every checkpoint, as a part of it. */
  private static final long SHORT_BYTES = 8L * BLOCK_BYTES;

  @GuardedBy("this")
  private final SumTable sums = new SumTable();

  @GuardedBy("this")
  private final NumberSet known = new NumberSet();

  /** The last block may be incomplete: its checksum is that of its bytes before this offset. */
  @GuardedBy("this")
  private long endBytes;

  /** Checksums of blocks that were incomplete at an offset up to which bytes may become durable. */
  @GuardedBy("this")
  private final OffsetSums incomplete = new OffsetSums();

  /** The blocks of which the file has, or may have, other bytes. */
  @GuardedBy("this")
  private BlockRevisions revisions = BlockRevisions.NONE;

  /** Every block before this one is known. */
  @GuardedBy("this")
  private int firstUnknown;

  @GuardedBy("this")
  private final NumberSet unsavedChunks = new NumberSet();

  /** Whether the first chunk was last saved as a part of the checkpoint. */
  @GuardedBy("this")
  private boolean savedAsShort;

  /** What a comparison says of a block. */
  public enum Sameness {
    SAME,
    /** The same, but the file may have been changed after the time that was delivered with it. */
    OUTDATED,
    DIFFERENT,
    /** It is not known what was delivered. */
    UNKNOWN,
    /** The block has grown meanwhile, and what was delivered before that is not known any more. */
    OUTGROWN
  }

  /** Returns which block has the byte at an offset. */
  public static int blockOf(long offsetBytes) {
    return (int) Math.min(Integer.MAX_VALUE, offsetBytes / BLOCK_BYTES);
  }

  /** Returns the blocks with other bytes, to be changed. */
  @GuardedBy("this")
  private BlockRevisions revisions() {
    if (revisions == BlockRevisions.NONE) {
      revisions = new BlockRevisions();
    }
    return revisions;
  }

  /** Adds bytes that were read for delivery. */
  public synchronized void append(BlockRun run) {
    if (run.startBytes() != endBytes) {
      continueAt(run.startBytes());
    }
    int block = blockOf(run.startBytes());
    for (int i = 0; i < run.pieces(); i++, block++) {
      long blockStart = (long) block * BLOCK_BYTES;
      long from = Math.max(run.startBytes(), blockStart);
      long to = Math.min(run.endBytes(), blockStart + BLOCK_BYTES);
      if (from == blockStart) {
        set(block, run.piece(i));
      } else if (known.contains(block)) {
        set(block, BlockSum.combine(sums.get(block), run.piece(i), to - from));
      }
      unsavedChunks.add(block / CHUNK_BLOCKS);
    }
    endBytes = Math.max(endBytes, run.endBytes());
    noteIncomplete();
  }

  @GuardedBy("this")
  private void noteIncomplete() {
    int last = blockOf(endBytes);
    if (endBytes % BLOCK_BYTES != 0 && last < MOST_BLOCKS && known.contains(last)) {
      incomplete.put(endBytes, sums.get(last));
    }
  }

  /** Goes on at another offset, where bytes were delivered whose checksums nobody knows. */
  @GuardedBy("this")
  private void continueAt(long offsetBytes) {
    long from = Math.min(offsetBytes, endBytes);
    int first = blockOf(from);
    boolean whole = from % BLOCK_BYTES == 0 && from == offsetBytes;
    if (!whole && first < MOST_BLOCKS) {
      forget(first, Math.min(MOST_BLOCKS, blockOf(Math.max(offsetBytes, endBytes)) + 1));
    }
    endBytes = offsetBytes;
  }

  /** Returns the checksum of the bytes of an incomplete block before an offset, if it is known. */
  public synchronized OptionalLong incompleteBefore(long offsetBytes) {
    return incomplete.find(offsetBytes);
  }

  /** Notes that bytes up to there were delivered, whose checksums may be unknown. */
  public synchronized void extendTo(long offsetBytes) {
    if (offsetBytes > endBytes) {
      continueAt(offsetBytes);
    }
  }

  @GuardedBy("this")
  private void forget(int from, int to) {
    known.removeRange(from, to);
    firstUnknown = Math.min(firstUnknown, from);
  }

  @GuardedBy("this")
  private void set(int block, long sum) {
    sums.set(block, sum);
    known.add(block);
    if (revisions != BlockRevisions.NONE) {
      revisions.settle(block);
    }
  }

  /** Returns the offset up to which bytes were read for delivery. */
  public synchronized long endBytes() {
    return endBytes;
  }

  /**
   * Keeps what is known of incomplete blocks although more of them is delivered and saved, until
   * the comparison is closed. One comparison at a time.
   */
  public synchronized Comparison beginComparison() {
    incomplete.needAny();
    return new Comparison();
  }

  /** A comparison of a file with these checksums. */
  public final class Comparison implements AutoCloseable {
    private Comparison() {}

    /** Says where the comparison ends: it needs no checksum of another end. */
    public void endsAt(long limitBytes) {
      synchronized (BlockSums.this) {
        incomplete.need(limitBytes);
      }
    }

    @Override
    public void close() {
      synchronized (BlockSums.this) {
        incomplete.needNone();
      }
    }
  }

  /**
   * Compares a block of the file with what was delivered.
   *
   * @param sum the checksum of the block up to {@code toBytes}
   * @param toBytes the end of the block or, in the last one, the offset up to which all is durable
   */
  public synchronized Sameness compare(int block, long sum, long toBytes) {
    Optional<BlockRevisions.Revision> newer = revisions.underWay(block);
    if (newer.isPresent()) {
      return newer.get().endBytes() != toBytes
          ? Sameness.UNKNOWN
          : newer.get().sum() == sum ? Sameness.SAME : Sameness.DIFFERENT;
    }
    if (revisions.isDoubted(block)) {
      return Sameness.DIFFERENT;
    }
    if (block >= MOST_BLOCKS || !known.contains(block)) {
      // What waits was found to be replaced: it must not be learnt before it is delivered.
      return revisions.isRewritten(block) ? Sameness.DIFFERENT : Sameness.UNKNOWN;
    }
    long there = sums.get(block);
    if (toBytes % BLOCK_BYTES != 0 && toBytes != endBytes) {
      OptionalLong before = incomplete.find(toBytes);
      if (before.isEmpty()) {
        return Sameness.OUTGROWN;
      }
      there = before.getAsLong();
    }
    if (there != sum) {
      return Sameness.DIFFERENT;
    }
    return revisions.isOutdated(block) ? Sameness.OUTDATED : Sameness.SAME;
  }

  /**
   * Notes that the byte before an offset was delivered with a time that may be before the file's
   * last change.
   */
  public synchronized void outdated(long endBytes) {
    int block = blockOf(endBytes - 1);
    if (block < MOST_BLOCKS) {
      revisions().outdated(block);
    }
  }

  /** Notes that other bytes of a range may have been delivered than the checksums say. */
  public synchronized void doubt(ByteRange range) {
    int end = Math.min(MOST_BLOCKS, blockOf(range.endBytes() - 1) + 1);
    if (blockOf(range.startBytes()) < end) {
      revisions().doubt(blockOf(range.startBytes()), end);
    }
  }

  /** Takes the file's present bytes for those that were delivered, where nobody knows better. */
  public synchronized void learn(int block, long sum, long toBytes) {
    boolean whole = toBytes % BLOCK_BYTES == 0 || toBytes == endBytes;
    if (block < MOST_BLOCKS && whole && revisions.underWay(block).isEmpty()) {
      set(block, sum);
      unsavedChunks.add(block / CHUNK_BLOCKS);
      noteIncomplete();
    }
  }

  /**
   * Does so for the blocks that are in a run as a whole, and of which nothing is known; and for the
   * one of which the part before the run is known.
   */
  public synchronized void learn(BlockRun run) {
    OptionalLong begin =
        run.startBytes() == endBytes ? incomplete.find(endBytes) : OptionalLong.empty();
    extendTo(run.endBytes());
    int block = blockOf(run.startBytes());
    for (int i = 0; i < run.pieces(); i++, block++) {
      long toBytes = Math.min(run.endBytes(), (block + 1L) * BLOCK_BYTES);
      boolean fromBegin = i > 0 || run.startBytes() % BLOCK_BYTES == 0;
      if (fromBegin && !known.contains(block)) {
        learn(block, run.piece(i), toBytes);
      } else if (i == 0 && begin.isPresent()) {
        long lengthBytes = toBytes - run.startBytes();
        learn(block, BlockSum.combine(begin.getAsLong(), run.piece(0), lengthBytes), toBytes);
      }
    }
  }

  /**
   * Returns whether there are blocks before an offset whose checksums can be learnt: whole ones,
   * and the last one if nothing was read behind it. False while something is to be delivered again.
   */
  public synchronized boolean hasUnknown(long limitBytes) {
    firstUnknown = known.nextMissing(firstUnknown);
    return !isRevising() && firstUnknown < learnableBlocks(limitBytes);
  }

  /** Returns whether the checksum of a block is known. */
  public synchronized boolean knows(int block) {
    return known.contains(block);
  }

  /** Returns where the next such block begins; the limit when there is none. */
  public synchronized long nextUnknown(long fromBytes, long limitBytes) {
    int block = known.nextMissing(blockOf(fromBytes));
    return block < learnableBlocks(limitBytes) ? (long) block * BLOCK_BYTES : limitBytes;
  }

  @GuardedBy("this")
  private int learnableBlocks(long limitBytes) {
    boolean hasLast = limitBytes >= endBytes;
    long blocks = hasLast ? Math.ceilDiv(limitBytes, BLOCK_BYTES) : limitBytes / BLOCK_BYTES;
    return (int) Math.min(MOST_BLOCKS, blocks);
  }

  /** Notes that the file has other bytes in a block than those that were delivered. */
  public synchronized void found(int block, long nowNanos) {
    revisions().found(block, !known.contains(block), nowNanos);
  }

  /** Notes that the file has again what was delivered. */
  public synchronized void foundSame(int block) {
    if (revisions != BlockRevisions.NONE) {
      revisions.foundSame(block);
    }
  }

  /** Returns whether new bytes wait to be delivered. */
  public synchronized boolean hasRewritten() {
    return revisions.hasRewritten();
  }

  /** Returns whether new bytes wait, or are being delivered. */
  public synchronized boolean isRevising() {
    return revisions.isRevising();
  }

  /** Returns whether new bytes of a range wait, or are being delivered. */
  public synchronized boolean isRevising(ByteRange range) {
    int last = blockOf(range.endBytes() - 1);
    for (int block = blockOf(range.startBytes()); block <= last; block++) {
      if (revisions.isRevising(block)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether new bytes of a block wait, or are being delivered, of which it was found by
   * then that they differ.
   */
  public synchronized boolean isRevisingSince(long nanos) {
    return revisions.isRevisingSince(nanos);
  }

  /**
   * Returns whether that is so for a block of which no checksum is known: only the one that waits
   * here knows that it was replaced.
   */
  public synchronized boolean isRevisingUnknown() {
    return revisions.isRevisingUnknown();
  }

  /** Returns when the first block was found whose new bytes wait; empty when none does. */
  public synchronized OptionalLong rewrittenSinceNanos() {
    return revisions.rewrittenSinceNanos();
  }

  /** Returns how many bytes were replaced, and the new ones wait to be delivered. */
  public synchronized long rewrittenBytes() {
    return Math.min(endBytes, revisions.rewrittenBlocks() * BLOCK_BYTES);
  }

  /** Returns how many bytes were replaced and are not durable. */
  public synchronized long revisingBytes() {
    return Math.min(endBytes, revisions.revisingBlocks() * BLOCK_BYTES);
  }

  /** Returns the ranges that were replaced and are not durable. */
  public synchronized List<ByteRange> revising() {
    if (!isRevising()) {
      return List.of();
    }
    List<ByteRange> ranges = new ArrayList<>();
    for (int block : revisions.revising()) {
      ByteRange range = rangeOf(block);
      if (!ranges.isEmpty() && ranges.getLast().endBytes() == range.startBytes()) {
        ByteRange before = ranges.removeLast();
        range = new ByteRange(before.startBytes(), range.endBytes());
      }
      ranges.add(range);
    }
    return ranges;
  }

  @GuardedBy("this")
  private ByteRange rangeOf(int block) {
    long start = (long) block * BLOCK_BYTES;
    return new ByteRange(start, Math.min(start + BLOCK_BYTES, Math.max(start + 1, endBytes)));
  }

  /**
   * Returns the next neighbouring blocks whose new bytes wait.
   *
   * @param fromBytes where to look from
   * @param limitBytes where the range ends at the latest: what is durable
   */
  public synchronized Optional<ByteRange> nextRewritten(
      long fromBytes, int mostBlocks, long limitBytes) {
    return revisions.nextRewritten(fromBytes, mostBlocks, limitBytes);
  }

  /**
   * Notes that new bytes, as they were read, are handed over for delivery.
   *
   * @param foundNanos when it was found that they differ
   */
  public synchronized void handedOver(BlockRun run, long foundNanos) {
    int block = blockOf(run.startBytes());
    for (int i = 0; i < run.pieces(); i++, block++) {
      long toBytes = Math.min(run.endBytes(), (long) (block + 1) * BLOCK_BYTES);
      revisions().handedOver(block, new BlockRevisions.Revision(run.piece(i), toBytes), foundNanos);
    }
  }

  /** Notes that new bytes are durable. */
  public synchronized void revised(BlockRun run, long nowNanos) {
    int block = blockOf(run.startBytes());
    for (int i = 0; i < run.pieces(); i++, block++) {
      long toBytes = Math.min(run.endBytes(), (long) (block + 1) * BLOCK_BYTES);
      revisions().arrived(block, new BlockRevisions.Revision(run.piece(i), toBytes));
      unsavedChunks.add(block / CHUNK_BLOCKS);
      if (toBytes % BLOCK_BYTES == 0 || toBytes == endBytes) {
        set(block, run.piece(i));
        noteIncomplete();
      } else {
        forget(block, block + 1); // The block has grown meanwhile, behind what was replaced.
        found(block, nowNanos);
      }
    }
    revisions().settleUnknown();
  }

  /** Notes that new bytes are given up: they wait again. */
  public synchronized void givenUp(BlockRun run, long nowNanos) {
    int block = blockOf(run.startBytes());
    for (int i = 0; i < run.pieces(); i++, block++) {
      revisions().givenUp(block);
      found(block, nowNanos);
    }
  }

  /**
   * Returns what is not saved, by the number of the chunk. What of it cannot be saved is to be
   * given back by {@link #notSaved}.
   *
   * @param durableBytes nothing behind this offset is saved
   */
  public synchronized Map<Integer, byte[]> takeUnsaved(long durableBytes) {
    Map<Integer, byte[]> chunks = new TreeMap<>();
    if (durableBytes > 0 && (isShort(durableBytes) || savedAsShort)) {
      unsavedChunks.add(0);
    }
    savedAsShort = isShort(durableBytes);
    for (int chunk : unsavedChunks.toArray()) {
      if ((long) chunk * CHUNK_BLOCKS * BLOCK_BYTES < durableBytes) {
        chunks.put(chunk, encode(chunk, durableBytes));
      }
    }
    for (int chunk : chunks.keySet()) { // When all are encoded, for which memory may be short.
      boolean all = durableBytes >= endBytes || blockOf(durableBytes) / CHUNK_BLOCKS > chunk;
      if (all) {
        unsavedChunks.remove(chunk);
      }
    }
    incomplete.removeBelow(durableBytes);
    return chunks;
  }

  /** Returns whether checksums have changed since they were saved. */
  public synchronized boolean hasUnsaved() {
    return !unsavedChunks.isEmpty();
  }

  public synchronized void notSaved(int chunk) {
    unsavedChunks.add(chunk);
  }

  /** Returns whether the checksums of a stream are saved as a part of its checkpoint. */
  public static boolean isShort(long durableBytes) {
    return durableBytes <= SHORT_BYTES;
  }

  /** Returns how many chunks a stream has at the most. */
  public static int chunks(long durableBytes) {
    long blocks = Math.min(MOST_BLOCKS, Math.ceilDiv(durableBytes, BLOCK_BYTES));
    return (int) Math.ceilDiv(blocks, CHUNK_BLOCKS);
  }

  @GuardedBy("this")
  private byte[] encode(int chunk, long durableBytes) {
    int first = chunk * CHUNK_BLOCKS;
    int end = (int) Math.min(first + CHUNK_BLOCKS, Math.ceilDiv(durableBytes, BLOCK_BYTES));
    SavedSums saved = new SavedSums(durableBytes, end - first);
    for (int block = first; block < end; block++) {
      OptionalLong sum = known.contains(block) ? OptionalLong.of(sums.get(block)) : NONE;
      if ((long) (block + 1) * BLOCK_BYTES > durableBytes && durableBytes != endBytes) {
        sum = sum.isPresent() ? incomplete.find(durableBytes) : NONE;
      }
      if (sum.isPresent()) {
        saved.set(block - first, sum.getAsLong());
      }
    }
    return saved.encode();
  }

  /** Takes in what an earlier run has saved. */
  public synchronized void restore(Map<Integer, byte[]> chunks, long durableBytes) {
    endBytes = durableBytes;
    savedAsShort = isShort(durableBytes);
    new TreeMap<>(chunks)
        .forEach((chunk, value) -> decode(chunk, SavedSums.decode(value), durableBytes));
    noteIncomplete();
  }

  @GuardedBy("this")
  private void decode(int chunk, SavedSums saved, long durableBytes) {
    for (int i = 0; i < saved.count(); i++) {
      int block = chunk * CHUNK_BLOCKS + i;
      long blockEnd = (long) (block + 1) * BLOCK_BYTES;
      boolean complete = blockEnd <= saved.durableBytes() || saved.durableBytes() == durableBytes;
      if (saved.isKnown(i) && complete && blockEnd - BLOCK_BYTES < durableBytes) {
        set(block, saved.sum(i));
      }
    }
  }
}
