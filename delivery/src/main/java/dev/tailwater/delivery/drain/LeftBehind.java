package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ranges of one stream that are not durable.
 *
 * @param growing whether the file was still growing when reading had stopped: the ranges end where
 *     it ended then, and it may have more bytes by now
 */
public record LeftBehind(PosixPath path, StreamId stream, List<ByteRange> ranges, boolean growing) {
  public long totalBytes() {
    return ranges.stream().mapToLong(ByteRange::lengthBytes).reduce(0, ByteSum::of);
  }

  /** Returns what is not durable at one destination or another. */
  static List<LeftBehind> union(List<List<LeftBehind>> ofEach) {
    if (ofEach.size() == 1) {
      return ofEach.getFirst();
    }
    Map<StreamId, PosixPath> paths = new LinkedHashMap<>();
    Map<StreamId, RangeSet> ranges = new LinkedHashMap<>();
    Set<StreamId> growing = new HashSet<>();
    for (List<LeftBehind> left : ofEach) {
      for (LeftBehind one : left) {
        paths.put(one.stream(), one.path());
        if (one.growing()) {
          growing.add(one.stream());
        }
        RangeSet set = ranges.computeIfAbsent(one.stream(), _ -> new RangeSet());
        one.ranges().forEach(set::add);
      }
    }
    List<LeftBehind> all = new ArrayList<>();
    paths.forEach(
        (stream, path) ->
            all.add(
                new LeftBehind(
                    path,
                    stream,
                    ranges.getOrDefault(stream, new RangeSet()).ranges(),
                    growing.contains(stream))));
    return all;
  }
}
