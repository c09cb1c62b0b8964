package dev.tailwater.archive.pack;

import dev.tailwater.archive.name.PackId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pack holds. Its units decompress, one after the other, to the bytes of the ranges, one
 * after the other.
 *
 * @param sealedAtMillis when it was made, milliseconds since 1970
 * @param units in the order of the object
 * @param streams those that this pack describes, with ascending numbers
 * @param ranges in the order of the bytes; those of one stream and revision by offset, and they do
 *     not overlap
 * @param facts what is said beside the bytes, in the order in which it holds
 * @param tree what is said of directories
 */
public record PackDirectory(
    PackId id,
    long sealedAtMillis,
    List<PackUnit> units,
    List<PackedStream> streams,
    List<PackedRange> ranges,
    List<StreamFact> facts,
    PackedTree tree) {
  /** The most units of a pack: a signature has digests of no more. */
  public static final int MAX_UNITS = 0xffff;

  /**
   * The most streams of a pack, and the most ranges, and the most facts. They take memory when a
   * directory is read, and next to no bytes in an object that lies.
   */
  public static final int MAX_ENTRIES = 1_000_000;

  /**
   * Checks the order and the lengths.
   *
   * @throws IllegalArgumentException when something of it is not as described, or there is more
   *     than a pack may have
   */
  public PackDirectory {
    requireAtMost(MAX_UNITS, units, "units");
    requireAtMost(MAX_ENTRIES, streams, "streams");
    requireAtMost(MAX_ENTRIES, ranges, "ranges");
    requireAtMost(MAX_ENTRIES, facts, "facts");
    units = List.copyOf(units);
    streams = List.copyOf(streams);
    ranges = List.copyOf(ranges);
    facts = List.copyOf(facts);
    requireOnePurpose(streams, ranges, facts, tree);
    requireOrder(streams, ranges);
    requireEqualLengths(units, ranges);
  }

  /** Creates the directory of a pack that says nothing of directories. */
  public PackDirectory(
      PackId id,
      long sealedAtMillis,
      List<PackUnit> units,
      List<PackedStream> streams,
      List<PackedRange> ranges,
      List<StreamFact> facts) {
    this(id, sealedAtMillis, units, streams, ranges, facts, PackedTree.NONE);
  }

  /** Ranges that come in the order of their offsets. */
  private record Sequence(int number, long revision) {}

  private static void requireAtMost(int most, List<?> items, String what) {
    if (items.size() > most) {
      throw new IllegalArgumentException(
          "a pack with " + items.size() + " " + what + "; at most " + most);
    }
  }

  /** Packs with directories are in a folder of their own, and agents never read them again. */
  private static void requireOnePurpose(
      List<PackedStream> streams,
      List<PackedRange> ranges,
      List<StreamFact> facts,
      PackedTree tree) {
    boolean tellsStreams = !streams.isEmpty() || !ranges.isEmpty() || !facts.isEmpty();
    if (tellsStreams && !tree.isEmpty()) {
      throw new IllegalArgumentException("a pack tells either streams or directories");
    }
  }

  private static void requireOrder(List<PackedStream> streams, List<PackedRange> ranges) {
    for (int i = 1; i < streams.size(); i++) {
      if (streams.get(i).number() <= streams.get(i - 1).number()) {
        throw new IllegalArgumentException("the numbers of described streams do not ascend");
      }
    }
    if (isEachOfAHigherNumber(ranges)) {
      return;
    }
    Map<Sequence, Long> ends = new HashMap<>();
    for (PackedRange range : ranges) {
      Sequence sequence = new Sequence(range.number(), range.revision());
      Long end = ends.put(sequence, range.range().endBytes());
      if (end != null && range.range().startBytes() < end) {
        throw new IllegalArgumentException("the ranges are not in order, or overlap");
      }
    }
  }

  /** Whether no two ranges are of the same stream, as in packs of short files. */
  private static boolean isEachOfAHigherNumber(List<PackedRange> ranges) {
    for (int i = 1; i < ranges.size(); i++) {
      if (ranges.get(i).number() <= ranges.get(i - 1).number()) {
        return false;
      }
    }
    return true;
  }

  private static void requireEqualLengths(List<PackUnit> units, List<PackedRange> ranges) {
    long unitBytes = 0;
    for (PackUnit unit : units) {
      unitBytes = Math.addExact(unitBytes, unit.rawBytes());
    }
    long rangeBytes = 0;
    for (PackedRange range : ranges) {
      rangeBytes = Math.addExact(rangeBytes, range.range().lengthBytes());
    }
    if (!units.isEmpty() && unitBytes != rangeBytes) {
      throw new IllegalArgumentException(
          "units of " + unitBytes + " bytes for ranges of " + rangeBytes);
    }
  }

  /** Returns when a range of the pack was sealed, milliseconds since 1970. */
  public long sealedAtMillis(PackedRange range) {
    return sealedAtMillis - range.olderMillis();
  }

  /** Returns the number of raw bytes in the pack. */
  public long rawBytes() {
    long rawBytes = 0;
    for (PackedRange range : ranges) {
      rawBytes += range.range().lengthBytes();
    }
    return rawBytes;
  }
}
