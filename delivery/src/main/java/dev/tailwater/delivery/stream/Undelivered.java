package dev.tailwater.delivery.stream;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import java.util.List;

/**
 * What is known of the bytes of a stream that are not durable: up to where there were some, and
 * where the archive has others under their names. Not thread-safe: its stream guards it.
 */
final class Undelivered {
  /** So many names are taken apart; more count as taken together with what is between them. */
  private static final int MOST_TAKEN = 64;

  private final long earlierSizeBytes;
  private long sizeBytes;
  private long savedSizeBytes;

  /** In order. Few streams have any, and there may be very many streams. */
  private List<ByteRange> taken;

  /** Whether somebody has been told which lost bytes others stand for. */
  private boolean toldLoss;

  /** Creates it for a stream of which earlier runs have seen nothing. */
  Undelivered() {
    this(Checkpoint.Undelivered.NOTHING);
  }

  /** Creates it as an earlier run knew it. */
  Undelivered(Checkpoint.Undelivered saved) {
    this.earlierSizeBytes = saved.sizeBytes();
    this.sizeBytes = earlierSizeBytes;
    this.savedSizeBytes = earlierSizeBytes;
    this.taken = saved.taken();
  }

  /** Returns the largest size that earlier runs have seen, as far as they noted it; else 0. */
  long earlierSizeBytes() {
    return earlierSizeBytes;
  }

  /** Returns the largest size that any run has seen, as far as is known. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Notes a size that the file was seen with. */
  void sizeSeen(long bytes) {
    sizeBytes = Math.max(sizeBytes, bytes);
  }

  /** Returns whether the last checkpoint lacks bytes that were seen behind the durable ones. */
  boolean hasUnsavedSize(long durableBytes) {
    return sizeBytes > Math.max(durableBytes, savedSizeBytes);
  }

  /** Notes that an object of others has the name of these bytes. */
  void taken(ByteRange range) {
    RangeSet all = setOf(taken);
    all.add(range);
    List<ByteRange> ranges = all.ranges();
    if (ranges.size() > MOST_TAKEN) {
      all.add(new ByteRange(ranges.get(MOST_TAKEN - 1).startBytes(), ranges.getLast().endBytes()));
    }
    taken = List.copyOf(all.ranges());
  }

  private static RangeSet setOf(List<ByteRange> ranges) {
    RangeSet set = new RangeSet();
    ranges.forEach(set::add);
    return set;
  }

  /**
   * Returns the parts of a range that the archive says it has and that are not known as others'.
   */
  List<ByteRange> ownPartsOf(ByteRange held) {
    return taken.isEmpty() ? List.of(held) : setOf(taken).missing(held);
  }

  /** Returns those parts of lost ranges for which the archive has bytes of others; once. */
  List<ByteRange> untoldLossToOthers(List<ByteRange> lost) {
    if (toldLoss || taken.isEmpty()) {
      return List.of();
    }
    RangeSet others = setOf(taken);
    List<ByteRange> toOthers =
        lost.stream()
            .flatMap(range -> setOf(others.missing(range)).missing(range).stream())
            .toList();
    toldLoss = !toOthers.isEmpty();
    return toOthers;
  }

  /** Returns what a checkpoint says of it, which is being made. */
  Checkpoint.Undelivered save(DurableRanges durable) {
    savedSizeBytes = sizeBytes;
    List<ByteRange> others =
        taken.isEmpty() // As of nearly all streams, ten thousand of which may be saved at once.
            ? List.of()
            : taken.stream().flatMap(range -> durable.missing(range).stream()).toList();
    boolean hasMore = sizeBytes > durable.contiguousBytes();
    return hasMore || !others.isEmpty()
        ? new Checkpoint.Undelivered(hasMore ? sizeBytes : 0, others)
        : Checkpoint.Undelivered.NOTHING;
  }

  int hashOfCheckpoint() {
    return taken.hashCode();
  }
}
