package dev.tailwater.restore.read;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of segments to fetch, and of the bytes to take from each. Segments may overlap: longer
 * ones supersede short ones, which may still be there.
 */
public final class Cover {
  private Cover() {}

  /**
   * Chooses as {@link #of(List, ByteRange, Set)} does, and nothing that no segment of the stream
   * may give.
   */
  public static List<Piece> of(
      ArchivedStream stream, ByteRange within, Set<StoredSegment> excluded) {
    Optional<StoredSegment> only = stream.only();
    if (only.isPresent()
        && excluded.isEmpty()
        && !within.isEmpty()
        && within.equals(only.get().range())) {
      return List.of(new Piece(only.get(), within));
    }
    RangeSet untold = stream.untold();
    return of(stream.segments(), within, excluded).stream()
        .flatMap(
            piece ->
                untold.missing(piece.range()).stream()
                    .map(range -> new Piece(piece.segment(), range)))
        .toList();
  }

  /**
   * Chooses the fewest segments that hold every byte of a range that any segment holds; among
   * equals the longest. The pieces are disjoint and in order.
   *
   * <p>A plain segment gives no byte that an encrypted one has, not even when that one is excluded:
   * whoever can write to the destination can put a plain one there, and damage the other. For the
   * same reason a lower revision gives no byte that a higher one has.
   *
   * @param segments in the order of {@link StoredSegment#BY_START}
   * @param excluded segments that turned out to be damaged or gone
   */
  static List<Piece> of(
      List<StoredSegment> segments, ByteRange within, Set<StoredSegment> excluded) {
    List<List<StoredSegment>> ranks = ranks(segments);
    if (ranks.size() == 1) {
      return greedy(ranks.getFirst(), within, excluded);
    }
    List<Piece> pieces = new ArrayList<>();
    RangeSet better = new RangeSet();
    for (List<StoredSegment> rank : ranks) {
      for (Piece piece : greedy(rank, within, excluded)) {
        for (ByteRange range : better.missing(piece.range())) {
          pieces.add(new Piece(piece.segment(), range));
        }
      }
      rank.forEach(segment -> better.add(segment.range()));
    }
    pieces.sort(Comparator.comparingLong(piece -> piece.range().startBytes()));
    return pieces;
  }

  /**
   * Divides the segments: each list goes before those behind it, and within one, all that have a
   * byte agree on it.
   */
  private static List<List<StoredSegment>> ranks(List<StoredSegment> segments) {
    Map<Rank, List<StoredSegment>> ranks = new TreeMap<>();
    for (StoredSegment segment : segments) {
      ranks
          .computeIfAbsent(
              new Rank(segment.encrypted(), segment.revision()), any -> new ArrayList<>())
          .add(segment);
    }
    return List.copyOf(ranks.values());
  }

  /** What decides which of two segments has the right bytes; the better one comes first. */
  private record Rank(boolean encrypted, long revision) implements Comparable<Rank> {
    @Override
    public int compareTo(Rank other) {
      return encrypted == other.encrypted
          ? Long.compare(other.revision, revision)
          : Boolean.compare(other.encrypted, encrypted);
    }
  }

  /**
   * Returns the bytes that the whole segments give.
   *
   * @param whole those that can be opened
   */
  public static RangeSet available(ArchivedStream stream, List<StoredSegment> whole) {
    Set<StoredSegment> excluded = new HashSet<>(stream.segments());
    whole.forEach(excluded::remove);
    RangeSet available = new RangeSet();
    ByteRange all = new ByteRange(0, Long.MAX_VALUE);
    of(stream, all, excluded).forEach(piece -> available.add(piece.range()));
    return available;
  }

  /**
   * Returns the segments of which some bytes are replaced by a higher revision, or may not be
   * given: their checksums say nothing about the file as it is, or was at the moment.
   */
  public static Set<StoredSegment> replacedInPart(ArchivedStream stream) {
    Set<StoredSegment> replaced = new HashSet<>();
    RangeSet higher = stream.untold();
    stream.segments().stream()
        .collect(Collectors.groupingBy(StoredSegment::revision, TreeMap::new, Collectors.toList()))
        .descendingMap()
        .values()
        .forEach(
            equal -> {
              for (StoredSegment segment : equal) {
                if (!higher.missing(segment.range()).equals(List.of(segment.range()))) {
                  replaced.add(segment);
                }
              }
              equal.forEach(segment -> higher.add(segment.range()));
            });
    return replaced;
  }

  private static List<Piece> greedy(
      List<StoredSegment> segments, ByteRange within, Set<StoredSegment> excluded) {
    List<Piece> pieces = new ArrayList<>();
    @Nullable StoredSegment best = null;
    long at = within.startBytes();
    int next = 0;
    while (at < within.endBytes()) {
      while (next < segments.size() && segments.get(next).range().startBytes() <= at) {
        StoredSegment segment = segments.get(next++);
        boolean farther = best == null || segment.range().endBytes() > best.range().endBytes();
        if (farther && !excluded.contains(segment)) {
          best = segment;
        }
      }
      if (best != null && best.range().endBytes() > at) {
        long end = Math.min(best.range().endBytes(), within.endBytes());
        pieces.add(new Piece(best, new ByteRange(at, end)));
        at = end;
      } else if (next < segments.size()) {
        at = segments.get(next).range().startBytes();
      } else {
        break;
      }
    }
    return pieces;
  }
}
