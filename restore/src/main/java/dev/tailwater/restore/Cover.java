package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which segments to fetch, and which bytes to take from each. Segments may overlap: short ones are
 * superseded by longer ones, and the short ones may still be there.
 */
final class Cover {
  private Cover() {}

  /**
   * The fewest segments that hold everything of a range that any of them holds; where several do as
   * well, the longest. The pieces are disjoint and in order.
   *
   * @param segments in the order of {@link StoredSegment#BY_START}
   * @param excluded segments that turned out to be damaged or gone
   */
  static List<Piece> of(
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
