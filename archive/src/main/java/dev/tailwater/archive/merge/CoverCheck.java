package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds out whether a pack has the bytes of those whose numbers it covers, and says what they say:
 * anybody may have made it. For one thread.
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
   * Returns whether the pack says of each stream what those say that it covers, or something else
   * of the kind: the last word of each counts.
   */
  public boolean saysAllOf(List<PackDirectory> covered) {
    Set<Said> said = said(directory).collect(Collectors.toSet());
    Set<Integer> withBytes =
        Stream.concat(Stream.of(directory), covered.stream())
            .flatMap(pack -> pack.ranges().stream().map(PackedRange::number))
            .collect(Collectors.toSet());
    return covered.stream()
        .flatMap(CoverCheck::said)
        .allMatch(
            one -> said.contains(one) || (one.isOfAttributes() && withBytes.contains(one.number)));
  }

  /** A kind of words of a stream; of what is missing, each word is of its own kind. */
  private record Said(int number, Object kind) {
    /** Ranges may tell these later. */
    boolean isOfAttributes() {
      return kind.equals(StreamFact.Attributes.class);
    }
  }

  private static Stream<Said> said(PackDirectory pack) {
    return Stream.concat(
        pack.streams().stream().map(stream -> new Said(stream.number(), PackedStream.class)),
        pack.facts().stream().map(fact -> new Said(fact.number(), kind(fact))));
  }

  private static Object kind(StreamFact fact) {
    return switch (fact) {
      case StreamFact.Missing gap -> gap;
      case StreamFact.Continued _ -> StreamFact.Ended.class;
      default -> fact.getClass();
    };
  }

  /**
   * Begins to compare a pack that is covered.
   *
   * @param reader asked where the other pack has a part of a range only
   */
  public Comparison with(PackDirectory covered, Covered reader) {
    return new Comparison(covered, reader);
  }

  /** Compares the ranges of a pack that is covered. */
  public final class Comparison {
    private final PackDirectory covered;
    private final Covered reader;
    private Optional<PartSums> coveredSums = Optional.empty();

    private Comparison(PackDirectory covered, Covered reader) {
      this.covered = covered;
      this.reader = reader;
    }

    /**
     * Compares the bytes of a range.
     *
     * @param index which of the ranges
     * @throws IOException a pack does not hold what its directory says
     */
    public Verdict compare(int index) throws IOException {
      PackedRange wanted = covered.ranges().get(index);
      RangeSet had = new RangeSet();
      for (int overlapping : ranges.overlapping(wanted)) {
        ByteRange part = shared(directory.ranges().get(overlapping).range(), wanted.range());
        int expected =
            part.equals(wanted.range()) ? wanted.rawCrc32c() : coveredSums().crc32c(index, part);
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

    /** Reads the pack once: it may have many ranges. */
    private PartSums coveredSums() throws IOException {
      if (coveredSums.isEmpty()) {
        coveredSums = Optional.of(new PartSums(reader.read()));
      }
      return coveredSums.get();
    }
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
