package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.StreamFact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out whether a pack has the bytes of those whose numbers it covers: anybody may have made
 * it. For one thread.
 */
public final class CoverCheck {
  private final PackDirectory directory;
  private final RangeIndex ranges;
  private final PartSums sums;

  /** What a pack has of a range of one that it covers. */
  public enum Verdict {
    /** All bytes. */
    HAS,
    /** What it has not, it has replaced. */
    REPLACED,
    /** Not all, or others. */
    LACKS
  }

  /** Reads a pack that is covered. */
  public interface Covered {
    /** Returns the whole pack. */
    PackInput read() throws IOException;
  }

  /** Creates the check of a pack. */
  public CoverCheck(PackInput wide) {
    this.directory = wide.pack().directory();
    this.ranges = new RangeIndex(directory);
    this.sums = new PartSums(wide);
  }

  /** Returns whether a number means the same stream in the pack and in all that it covers. */
  public boolean numbersAlike(List<PackDirectory> covered) {
    List<PackDirectory> all = new ArrayList<>(covered);
    all.addFirst(directory); // It describes the streams of all.
    return GroupNumbers.unite(all).isPresent();
  }

  /**
   * Compares the bytes of a range.
   *
   * @param of the directory of a pack that is covered
   * @param index which of its ranges
   * @param covered asked where the pack has a part of the range only
   * @throws IOException a pack does not hold what its directory says
   */
  public Verdict compare(PackDirectory of, int index, Covered covered) throws IOException {
    PackedRange wanted = of.ranges().get(index);
    RangeSet had = new RangeSet();
    for (int overlapping : ranges.overlapping(wanted)) {
      ByteRange part = shared(directory.ranges().get(overlapping).range(), wanted.range());
      int expected =
          part.equals(wanted.range())
              ? wanted.rawCrc32c()
              : new PartSums(covered.read()).crc32c(index, part);
      if (sums.crc32c(overlapping, part) == expected) {
        had.add(part);
      }
    }
    List<ByteRange> missing = had.missing(wanted.range());
    if (missing.isEmpty()) {
      return Verdict.HAS;
    }
    RangeSet replaced = replaced(wanted);
    return missing.stream().allMatch(replaced::contains) ? Verdict.REPLACED : Verdict.LACKS;
  }

  private static ByteRange shared(ByteRange one, ByteRange other) {
    return new ByteRange(
        Math.max(one.startBytes(), other.startBytes()), Math.min(one.endBytes(), other.endBytes()));
  }

  /** Returns what the pack has of a stream in a higher revision, and what it says it has not. */
  private RangeSet replaced(PackedRange wanted) {
    RangeSet replaced = new RangeSet();
    for (PackedRange range : directory.ranges()) {
      if (range.number() == wanted.number() && range.revision() > wanted.revision()) {
        replaced.add(range.range());
      }
    }
    for (StreamFact fact : directory.facts()) {
      if (fact instanceof StreamFact.Dropped dropped && dropped.number() == wanted.number()) {
        replaced.add(dropped.range());
      }
    }
    return replaced;
  }
}
