package dev.tailwater.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of bytes of one stream, stored as disjoint ranges that do not touch. Additions and queries
 * take logarithmic time. Not thread-safe.
 */
public final class RangeSet {
  private final TreeMap<Long, Long> endByStart = new TreeMap<>();

  /** Adds the bytes of a range. The range may overlap with the set; an empty range adds nothing. */
  public void add(ByteRange range) {
    if (range.isEmpty()) {
      return;
    }
    long start = range.startBytes();
    long end = range.endBytes();
    Map.Entry<Long, Long> before = endByStart.floorEntry(start);
    if (before != null && before.getValue() >= start) {
      start = before.getKey();
      end = Math.max(end, before.getValue());
    }
    Map.Entry<Long, Long> next = endByStart.ceilingEntry(start);
    while (next != null && next.getKey() <= end) {
      end = Math.max(end, next.getValue());
      endByStart.remove(next.getKey());
      next = endByStart.higherEntry(start);
    }
    endByStart.put(start, end);
  }

  /** Returns whether every byte of the range is in the set; true for an empty range. */
  public boolean contains(ByteRange range) {
    return range.isEmpty() || contiguousEnd(range.startBytes()) >= range.endBytes();
  }

  /**
   * Returns the end of the run of bytes that begins at {@code from}: the lowest offset at or above
   * {@code from} whose byte is not in the set.
   */
  public long contiguousEnd(long from) {
    Map.Entry<Long, Long> at = endByStart.floorEntry(from);
    return at == null ? from : Math.max(from, at.getValue());
  }

  /** Returns the ranges of {@code within} that are not in the set, in order. */
  public List<ByteRange> missing(ByteRange within) {
    List<ByteRange> missing = new ArrayList<>();
    long at = contiguousEnd(within.startBytes());
    while (at < within.endBytes()) {
      Long nextStart = endByStart.higherKey(at);
      long end = nextStart == null ? within.endBytes() : Math.min(nextStart, within.endBytes());
      missing.add(new ByteRange(at, end));
      at = contiguousEnd(end);
    }
    return missing;
  }

  /** Returns the ranges in order: disjoint, not touching, none empty. */
  public List<ByteRange> ranges() {
    List<ByteRange> ranges = new ArrayList<>(endByStart.size());
    endByStart.forEach((start, end) -> ranges.add(new ByteRange(start, end)));
    return ranges;
  }

  public long totalBytes() {
    long total = 0;
    for (Map.Entry<Long, Long> range : endByStart.entrySet()) {
      total += range.getValue() - range.getKey();
    }
    return total;
  }

  public boolean isEmpty() {
    return endByStart.isEmpty();
  }

  @Override
  public String toString() {
    return ranges().toString();
  }
}
