package dev.tailwater.archive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A set of bytes of one stream, stored as disjoint ranges that do not touch. Additions and queries
 * take logarithmic time. Not thread-safe.
 *
 * <p>An agent has a few sets for each file, and nearly all are one range that grows: that one is
 * two numbers, and only several take a map.
 */
public final class RangeSet {
  /** The only range, empty if the set is; of no meaning while there are several. */
  private long onlyStart;

  private long onlyEnd;

  /** The ranges of a set that has several. */
  private NavigableMap<Long, Long> endByStart = Collections.emptyNavigableMap();

  /** Adds the bytes of a range. The range may overlap with the set; an empty range adds nothing. */
  public void add(ByteRange range) {
    if (range.isEmpty()) {
      return;
    }
    long start = range.startBytes();
    long end = range.endBytes();
    if (!hasSeveral()) {
      if (isEmpty()) {
        set(start, end);
        return;
      }
      if (start <= onlyEnd && onlyStart <= end) {
        set(Math.min(onlyStart, start), Math.max(onlyEnd, end));
        return;
      }
      endByStart = new TreeMap<>();
      endByStart.put(onlyStart, onlyEnd);
    }
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
    if (endByStart.size() == 1) {
      endByStart = Collections.emptyNavigableMap();
      set(start, end);
    }
  }

  private boolean hasSeveral() {
    return !endByStart.isEmpty();
  }

  private void set(long start, long end) {
    onlyStart = start;
    onlyEnd = end;
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
    if (!hasSeveral()) {
      return from < onlyStart ? from : Math.max(from, onlyEnd);
    }
    Map.Entry<Long, Long> at = endByStart.floorEntry(from);
    return at == null ? from : Math.max(from, at.getValue());
  }

  /** Returns the ranges of {@code within} that are not in the set, in order. */
  public List<ByteRange> missing(ByteRange within) {
    List<ByteRange> missing = new ArrayList<>();
    long at = contiguousEnd(within.startBytes());
    while (at < within.endBytes()) {
      long end = Math.min(nextStart(at), within.endBytes());
      missing.add(new ByteRange(at, end));
      at = contiguousEnd(end);
    }
    return missing;
  }

  /**
   * Returns the first bytes at or above {@code from} that are not in the set. Behind the last range
   * they end at the largest number.
   */
  public ByteRange nextMissing(long from) {
    long start = contiguousEnd(from);
    return new ByteRange(start, nextStart(start));
  }

  /** Returns where the first range begins that begins after an offset, or the largest number. */
  private long nextStart(long afterBytes) {
    if (!hasSeveral()) {
      return onlyStart > afterBytes ? onlyStart : Long.MAX_VALUE;
    }
    Long next = endByStart.higherKey(afterBytes);
    return next == null ? Long.MAX_VALUE : next;
  }

  /** Returns the ranges in order: disjoint, not touching, none empty. */
  public List<ByteRange> ranges() {
    if (!hasSeveral()) {
      return isEmpty() ? List.of() : List.of(new ByteRange(onlyStart, onlyEnd));
    }
    List<ByteRange> ranges = new ArrayList<>(endByStart.size());
    endByStart.forEach((start, end) -> ranges.add(new ByteRange(start, end)));
    return ranges;
  }

  /** Returns how many bytes are in it. */
  public long totalBytes() {
    long total = hasSeveral() ? 0 : onlyEnd - onlyStart;
    for (Map.Entry<Long, Long> range : endByStart.entrySet()) {
      total += range.getValue() - range.getKey();
    }
    return total;
  }

  /** Returns whether no byte is in it. */
  public boolean isEmpty() {
    return !hasSeveral() && onlyStart == onlyEnd;
  }

  @Override
  public String toString() {
    return ranges().toString();
  }
}
