package dev.tailwater.delivery.pack;

import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.pack.PackedRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The checksums of all ranges that packs hold of one stream. Adjacent ones are combined until they
 * have a length that is worth an entry. Not thread-safe.
 */
final class HeldSums {
  private static final long ENTRY_BYTES = 1 << 20;

  private record Entry(HeldRun run, long revision) {}

  private final List<Entry> entries = new ArrayList<>(1);
  private long latestNanos = Long.MIN_VALUE;

  void add(PackedRange range) {
    latestNanos = Math.max(latestNanos, range.modificationTimeNanos());
    HeldRun run = new HeldRun(range.range(), range.rawCrc32c(), range.modificationTimeNanos());
    Entry added = new Entry(run, range.revision());
    Entry before = entries.isEmpty() ? added : entries.getLast();
    if (before.equals(added) && !entries.isEmpty()) {
      return;
    }
    if (before.revision == 0
        && range.revision() == 0
        && before.run.isContinuedBy(run)
        && before.run.range().lengthBytes() < ENTRY_BYTES) {
      entries.set(entries.size() - 1, new Entry(before.run.with(run), 0));
    } else {
      entries.add(added);
    }
  }

  /** Returns the ranges of which no byte was replaced later, in any order. */
  List<HeldRun> latest() {
    List<Entry> highestFirst = new ArrayList<>(entries);
    highestFirst.sort(Comparator.comparingLong(Entry::revision).reversed());
    RangeSet replaced = new RangeSet();
    List<HeldRun> latest = new ArrayList<>();
    for (int first = 0, end; first < highestFirst.size(); first = end) {
      end = first;
      while (end < highestFirst.size()
          && highestFirst.get(end).revision == highestFirst.get(first).revision) {
        HeldRun run = highestFirst.get(end++).run;
        if (replaced.missing(run.range()).equals(List.of(run.range()))) {
          latest.add(run);
        }
      }
      highestFirst.subList(first, end).forEach(entry -> replaced.add(entry.run.range()));
    }
    return latest;
  }

  /**
   * Returns the latest mtime that the file had when bytes were read; empty if there are none. Packs
   * that were joined are not in the order in which they were made.
   */
  OptionalLong readWithNanos() {
    return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(latestNanos);
  }
}
