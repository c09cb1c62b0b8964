package dev.tailwater.delivery.sums;

import dev.tailwater.archive.ByteRange;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The blocks of a stream of which the file has, or may have, other bytes than those that were
 * delivered. Not thread-safe: {@link BlockSums} guards it.
 */
final class BlockRevisions {
  /** Those of a stream that was never rewritten, as nearly all are; it must not be changed. */
  static final BlockRevisions NONE = new BlockRevisions();

  /** The blocks of which the file has other bytes, and when that was found. */
  private final TreeMap<Integer, Long> rewritten = new TreeMap<>();

  /** The blocks whose new bytes are being delivered. */
  private final Map<Integer, UnderWay> underWay = new HashMap<>();

  /** Blocks of which other bytes may have been delivered than the checksums say. */
  private final NumberSet doubted = new NumberSet();

  /** Blocks that may have been delivered with a time before their last change. */
  private final NumberSet outdated = new NumberSet();

  /** Whether something waits, or is being delivered, of which no checksum is known. */
  private boolean unknown;

  /** The new bytes of a block, as they were read. */
  record Revision(long sum, long endBytes) {}

  /**
   * New bytes that are being delivered.
   *
   * @param sinceNanos when it was found that they differ; with earlier ones of the block under way,
   *     when that was found of those
   */
  private record UnderWay(Revision revision, long sinceNanos) {}

  /** Forgets doubts about a block: its checksum is known now. */
  void settle(int block) {
    doubted.remove(block);
    outdated.remove(block);
  }

  void outdated(int block) {
    outdated.add(block);
  }

  boolean isOutdated(int block) {
    return outdated.contains(block);
  }

  void doubt(int from, int to) {
    doubted.addRange(from, to);
  }

  boolean isDoubted(int block) {
    return doubted.contains(block);
  }

  /** Notes that the file has other bytes in a block. */
  void found(int block, boolean isUnknown, long nowNanos) {
    rewritten.putIfAbsent(block, nowNanos);
    unknown |= isUnknown;
  }

  /** Notes that new bytes of a block need not be delivered any more. */
  void foundSame(int block) {
    rewritten.remove(block);
    settleUnknown();
  }

  boolean isRewritten(int block) {
    return rewritten.containsKey(block);
  }

  boolean hasRewritten() {
    return !rewritten.isEmpty();
  }

  boolean isRevising() {
    return !rewritten.isEmpty() || !underWay.isEmpty();
  }

  boolean isRevising(int block) {
    return rewritten.containsKey(block) || underWay.containsKey(block);
  }

  /** Returns whether a block is being revised of which that was found by then. */
  boolean isRevisingSince(long nanos) {
    return rewritten.values().stream().anyMatch(since -> since - nanos <= 0)
        || underWay.values().stream().anyMatch(block -> block.sinceNanos() - nanos <= 0);
  }

  boolean isRevisingUnknown() {
    return unknown;
  }

  void settleUnknown() {
    unknown &= isRevising();
  }

  OptionalLong rewrittenSinceNanos() {
    OptionalLong first = OptionalLong.empty();
    for (long since : rewritten.values()) {
      if (first.isEmpty() || since - first.getAsLong() < 0) {
        first = OptionalLong.of(since);
      }
    }
    return first;
  }

  /** Returns how many blocks have new bytes that wait. */
  long rewrittenBlocks() {
    return rewritten.size();
  }

  /** Returns how many blocks were replaced and are not durable. */
  long revisingBlocks() {
    long blocks = rewritten.size();
    for (Integer block : underWay.keySet()) {
      blocks += rewritten.containsKey(block) ? 0 : 1;
    }
    return blocks;
  }

  /** Returns the blocks that were replaced and are not durable, in order. */
  NavigableSet<Integer> revising() {
    NavigableSet<Integer> blocks = new TreeSet<>(rewritten.keySet());
    blocks.addAll(underWay.keySet());
    return blocks;
  }

  /** As {@link BlockSums#nextRewritten}. */
  Optional<ByteRange> nextRewritten(long fromBytes, int mostBlocks, long limitBytes) {
    Integer first = rewritten.ceilingKey((int) Math.ceilDiv(fromBytes, BlockSums.BLOCK_BYTES));
    if (first == null || (long) first * BlockSums.BLOCK_BYTES >= limitBytes) {
      return Optional.empty();
    }
    int end = first + 1;
    while (end - first < mostBlocks && rewritten.containsKey(end)) {
      end++;
    }
    return Optional.of(
        new ByteRange(
            (long) first * BlockSums.BLOCK_BYTES,
            Math.min((long) end * BlockSums.BLOCK_BYTES, limitBytes)));
  }

  /** Returns the new bytes of a block that are being delivered. */
  Optional<Revision> underWay(int block) {
    return Optional.ofNullable(underWay.get(block)).map(UnderWay::revision);
  }

  void handedOver(int block, Revision revision, long foundNanos) {
    rewritten.remove(block);
    underWay.merge(block, new UnderWay(revision, foundNanos), BlockRevisions::replaced);
  }

  private static UnderWay replaced(UnderWay before, UnderWay now) {
    return before.sinceNanos() - now.sinceNanos() < 0
        ? new UnderWay(now.revision(), before.sinceNanos())
        : now;
  }

  void arrived(int block, Revision revision) {
    underWay.computeIfPresent(
        block, (_, there) -> there.revision().equals(revision) ? null : there);
  }

  void givenUp(int block) {
    underWay.remove(block);
  }
}
