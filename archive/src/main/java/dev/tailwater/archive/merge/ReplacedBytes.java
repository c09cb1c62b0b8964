package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Which bytes of one stream were replaced, and when that was first. For one thread. */
final class ReplacedBytes {
  /** By the start of each part; parts are disjoint. */
  private final TreeMap<Long, Part> parts = new TreeMap<>();

  private record Part(long endBytes, long atMillis) {}

  /**
   * A part of a range.
   *
   * @param replacedAtMillis when it was replaced first; empty: it was not
   */
  record Split(ByteRange range, OptionalLong replacedAtMillis) {}

  /** Notes that bytes were replaced. */
  void add(ByteRange range, long atMillis) {
    List<Split> before = split(range);
    long start = range.startBytes();
    parts.subMap(start, range.endBytes()).clear();
    for (Split split : before) {
      put(split.range, Math.min(split.replacedAtMillis.orElse(atMillis), atMillis));
    }
  }

  private void put(ByteRange range, long atMillis) {
    parts.put(range.startBytes(), new Part(range.endBytes(), atMillis));
  }

  /** Divides a range where the time of its replacement changes. */
  List<Split> split(ByteRange range) {
    cutAt(range.startBytes());
    cutAt(range.endBytes());
    List<Split> splits = new ArrayList<>();
    long at = range.startBytes();
    for (Map.Entry<Long, Part> entry : parts.subMap(at, range.endBytes()).entrySet()) {
      if (entry.getKey() > at) {
        splits.add(new Split(new ByteRange(at, entry.getKey()), OptionalLong.empty()));
      }
      at = entry.getValue().endBytes;
      splits.add(
          new Split(new ByteRange(entry.getKey(), at), OptionalLong.of(entry.getValue().atMillis)));
    }
    if (at < range.endBytes()) {
      splits.add(new Split(new ByteRange(at, range.endBytes()), OptionalLong.empty()));
    }
    return splits;
  }

  /** Divides the part that contains the offset, if it does not begin there. */
  private void cutAt(long offsetBytes) {
    Map.Entry<Long, Part> around = parts.lowerEntry(offsetBytes);
    if (around != null && around.getValue().endBytes > offsetBytes) {
      Part part = around.getValue();
      parts.put(around.getKey(), new Part(offsetBytes, part.atMillis));
      parts.put(offsetBytes, part);
    }
  }
}
