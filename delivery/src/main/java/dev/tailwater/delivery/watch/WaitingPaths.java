package dev.tailwater.delivery.watch;

import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one source that wait to be opened. The owners of the files take turns, and of each
 * owner those that wait longest come first. So who has one file waits for at most one file of each
 * other owner, however many these have. No operation takes longer when there are more paths. For
 * one thread.
 */
final class WaitingPaths {
  private final Map<PosixPath, Entry> entries = new HashMap<>();

  /** The owners with waiting files; the one whose turn is next comes first. */
  private final LinkedHashMap<Long, Line> lines = new LinkedHashMap<>();

  /** A path with its owner. */
  record Next(PosixPath path, long ownerId) {}

  /** The files of one owner, in the order in which they came. */
  private static final class Line {
    final long ownerId;
    @Nullable Entry first;
    @Nullable Entry last;
    int size;

    Line(long ownerId) {
      this.ownerId = ownerId;
    }

    void add(Entry entry) {
      entry.before = last;
      if (last == null) {
        first = entry;
      } else {
        last.after = entry;
      }
      last = entry;
      size++;
    }

    void remove(Entry entry) {
      if (entry.before == null) {
        first = entry.after;
      } else {
        entry.before.after = entry.after;
      }
      if (entry.after == null) {
        last = entry.before;
      } else {
        entry.after.before = entry.before;
      }
      size--;
    }
  }

  private static final class Entry {
    final PosixPath path;
    final Line line;
    @Nullable Entry before;
    @Nullable Entry after;

    Entry(PosixPath path, Line line) {
      this.path = path;
      this.line = line;
    }
  }

  /** Adds a path behind the others of its owner, unless it waits already. */
  void add(PosixPath path, long ownerId) {
    if (!entries.containsKey(path)) {
      Line line = lines.computeIfAbsent(ownerId, Line::new);
      Entry entry = new Entry(path, line);
      line.add(entry);
      entries.put(path, entry);
    }
  }

  /** Removes a path that need not wait any more. */
  void remove(PosixPath path) {
    Entry entry = entries.remove(path);
    if (entry != null) {
      entry.line.remove(entry);
      if (entry.line.size == 0) {
        lines.remove(entry.line.ownerId);
      }
    }
  }

  boolean contains(PosixPath path) {
    return entries.containsKey(path);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  int size() {
    return entries.size();
  }

  /** Returns how many owners have files that wait. */
  int owners() {
    return lines.size();
  }

  /** Returns the path whose turn it is. */
  Optional<Next> next() {
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(lines.firstEntry().getValue().first)
            .map(entry -> new Next(entry.path, entry.line.ownerId));
  }

  /** Ends the turn of an owner: all others come first now. */
  void endTurn(long ownerId) {
    Line line = lines.remove(ownerId);
    if (line != null) {
      lines.put(ownerId, line);
    }
  }

  /** Returns how many files of each owner wait. */
  Map<Long, Integer> countByOwner() {
    Map<Long, Integer> countByOwner = new HashMap<>();
    lines.forEach((owner, line) -> countByOwner.put(owner, line.size));
    return countByOwner;
  }

  /** Adds how many files of each owner wait. */
  void countInto(Map<Long, Long> countByOwner) {
    lines.forEach((owner, line) -> countByOwner.merge(owner, (long) line.size, Long::sum));
  }
}
