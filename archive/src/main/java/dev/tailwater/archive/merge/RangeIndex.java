package dev.tailwater.archive.merge;

import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Finds the range of a pack that contains another one. Immutable. */
final class RangeIndex {
  private final List<PackedRange> ranges;

  /** Of each stream and revision: the numbers of its ranges by their first bytes. */
  private final Map<Bytes, TreeMap<Long, Integer>> indexByStart = new HashMap<>();

  private record Bytes(int number, long revision) {
    static Bytes of(PackedRange range) {
      return new Bytes(range.number(), range.revision());
    }
  }

  RangeIndex(PackDirectory pack) {
    this.ranges = pack.ranges();
    for (int i = 0; i < ranges.size(); i++) {
      indexByStart
          .computeIfAbsent(Bytes.of(ranges.get(i)), _ -> new TreeMap<>())
          .put(ranges.get(i).range().startBytes(), i);
    }
  }

  /** Returns which range has all bytes of this one, in the same revision; empty if none has. */
  OptionalInt containing(PackedRange wanted) {
    TreeMap<Long, Integer> starts = indexByStart.getOrDefault(Bytes.of(wanted), new TreeMap<>());
    Map.Entry<Long, Integer> last = starts.floorEntry(wanted.range().startBytes());
    return last != null && ranges.get(last.getValue()).range().contains(wanted.range())
        ? OptionalInt.of(last.getValue())
        : OptionalInt.empty();
  }

  /** Returns which ranges have bytes of this one, in the same revision. */
  List<Integer> overlapping(PackedRange wanted) {
    TreeMap<Long, Integer> starts = indexByStart.getOrDefault(Bytes.of(wanted), new TreeMap<>());
    List<Integer> overlapping = new ArrayList<>();
    Map.Entry<Long, Integer> before = starts.lowerEntry(wanted.range().startBytes());
    if (before != null
        && ranges.get(before.getValue()).range().endBytes() > wanted.range().startBytes()) {
      overlapping.add(before.getValue());
    }
    overlapping.addAll(
        starts.subMap(wanted.range().startBytes(), wanted.range().endBytes()).values());
    return overlapping;
  }
}
