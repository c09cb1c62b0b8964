package dev.tailwater.restore.read;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of segments to fetch, and of the bytes to take from each. Segments may overlap: longer
 * ones supersede short ones, which may still be there.
 */
public final class Cover {
  private Cover() {}

  /**
   * Chooses the fewest segments that hold every byte of a range that any segment holds; among
   * equals the longest. The pieces are disjoint and in order.
   *
   * <p>A plain segment gives no byte that an encrypted one has, not even when that one is excluded:
   * whoever can write to the destination can put a plain one there, and damage the other.
   *
   * @param segments in the order of {@link StoredSegment#BY_START}
   * @param excluded segments that turned out to be damaged or gone
   */
  public static List<Piece> of(
      List<StoredSegment> segments, ByteRange within, Set<StoredSegment> excluded) {
    List<StoredSegment> encrypted = segments.stream().filter(StoredSegment::encrypted).toList();
    if (encrypted.isEmpty() || encrypted.size() == segments.size()) {
      return greedy(segments, within, excluded);
    }
    List<StoredSegment> plain = segments.stream().filter(one -> !one.encrypted()).toList();
    List<Piece> pieces = new ArrayList<>(greedy(encrypted, within, excluded));
    RangeSet better = rangesOf(encrypted);
    for (Piece piece : greedy(plain, within, excluded)) {
      for (ByteRange range : better.missing(piece.range())) {
        pieces.add(new Piece(piece.segment(), range));
      }
    }
    pieces.sort(Comparator.comparingLong(piece -> piece.range().startBytes()));
    return pieces;
  }

  /**
   * Returns the bytes that the whole segments give: those of a plain one only where no encrypted
   * one is listed.
   */
  public static RangeSet available(List<StoredSegment> listed, List<StoredSegment> whole) {
    RangeSet encrypted = rangesOf(listed.stream().filter(StoredSegment::encrypted).toList());
    RangeSet available = new RangeSet();
    for (StoredSegment segment : whole) {
      if (segment.encrypted()) {
        available.add(segment.range());
      } else {
        encrypted.missing(segment.range()).forEach(available::add);
      }
    }
    return available;
  }

  private static RangeSet rangesOf(List<StoredSegment> segments) {
    RangeSet ranges = new RangeSet();
    segments.forEach(segment -> ranges.add(segment.range()));
    return ranges;
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
