package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that were read and are not durable, with their ages. A range whose bytes are replaced
 * again and again may be under way several times: it is durable when all have arrived. Thread-safe.
 */
final class StagedRanges {
  private final Map<StagedRange, Staged> staged = new ConcurrentHashMap<>();
  private final AtomicLong totalBytes = new AtomicLong();

  /** Those that were given up; hardly ever any. */
  private final Set<StagedRange> givenUp = ConcurrentHashMap.newKeySet();

  /** What no thread will deliver before a restart; neighbours are one range. */
  private final Map<StreamProgress, Abandoned> abandoned = new ConcurrentHashMap<>();

  private record Abandoned(long sinceNanos, List<ByteRange> ranges) {
    Abandoned with(ByteRange range, long rangeSinceNanos) {
      RangeSet all = new RangeSet();
      ranges.forEach(all::add);
      all.add(range);
      return new Abandoned(
          sinceNanos - rangeSinceNanos < 0 ? sinceNanos : rangeSinceNanos, all.ranges());
    }
  }

  /**
   * A range.
   *
   * @param isGivenUp whether some of it may wait to be read again
   */
  private record Staged(long sinceNanos, int underWay, boolean isGivenUp) {
    Staged withOneMore() {
      return new Staged(sinceNanos, underWay + 1, isGivenUp);
    }

    Staged withOneLess(boolean givenUp) {
      return new Staged(sinceNanos, underWay - 1, isGivenUp || givenUp);
    }

    Staged settled() {
      return new Staged(sinceNanos, underWay, false);
    }

    boolean isOver() {
      return underWay == 0 && !isGivenUp;
    }
  }

  /**
   * Adds a range.
   *
   * @param seenAtNanos when the first of its bytes was seen in the file
   */
  void add(StagedRange range, long seenAtNanos) {
    staged.compute(
        range,
        (_, before) -> {
          if (before != null) {
            return before.withOneMore();
          }
          totalBytes.addAndGet(range.range().lengthBytes());
          return new Staged(seenAtNanos, 1, false);
        });
  }

  void remove(StagedRange range) {
    end(range, false);
  }

  /**
   * Notes that new bytes of a range are given up. It stays until nothing of it waits any more: its
   * bytes may be read again in ranges with other bounds.
   */
  void givenUp(StagedRange range) {
    end(range, true);
    givenUp.add(range);
  }

  /** Notes that a range is given up until the agent is restarted. */
  void givenUpUntilRestart(StagedRange range) {
    Staged before = staged.get(range);
    if (before == null) {
      return;
    }
    abandoned.compute(
        range.stream(),
        (_, others) ->
            (others == null ? new Abandoned(before.sinceNanos(), List.of()) : others)
                .with(range.range(), before.sinceNanos()));
    totalBytes.addAndGet(range.range().lengthBytes());
    remove(range); // Only now: whoever looks must find it in one of them.
  }

  /** Forgets what was given up and is durable by now. */
  private void settle() {
    for (StagedRange range : List.copyOf(givenUp)) {
      givenUp.remove(range);
      staged.computeIfPresent(range, (_, before) -> settled(range, before));
    }
  }

  private @Nullable Staged settled(StagedRange range, Staged before) {
    if (!range.stream().blocks().isRevising(range.range())) {
      return unlessOver(range, before.settled());
    }
    givenUp.add(range);
    return before;
  }

  private void end(StagedRange range, boolean isGivenUp) {
    staged.computeIfPresent(range, (_, before) -> unlessOver(range, before.withOneLess(isGivenUp)));
  }

  private @Nullable Staged unlessOver(StagedRange range, Staged now) {
    if (!now.isOver()) {
      return now;
    }
    totalBytes.addAndGet(-range.range().lengthBytes());
    return null;
  }

  boolean contains(StagedRange range) {
    settle();
    return staged.containsKey(range) || isAbandoned(range);
  }

  private boolean isAbandoned(StagedRange range) {
    Abandoned of = abandoned.get(range.stream());
    return of != null && of.ranges().stream().anyMatch(range.range()::overlaps);
  }

  List<StagedRange> all() {
    settle();
    Set<StagedRange> all = new LinkedHashSet<>(staged.keySet());
    abandoned.forEach(
        (stream, of) -> of.ranges().forEach(range -> all.add(new StagedRange(stream, range))));
    return List.copyOf(all);
  }

  long totalBytes() {
    settle();
    return totalBytes.get();
  }

  /** Returns when the oldest byte was seen in its file; empty when there is none. */
  OptionalLong oldestNanos(long nowNanos) {
    settle();
    return Stream.concat(
            staged.values().stream().map(Staged::sinceNanos),
            abandoned.values().stream().map(Abandoned::sinceNanos))
        .mapToLong(sinceNanos -> nowNanos - sinceNanos)
        .max()
        .stream()
        .map(age -> nowNanos - age)
        .findFirst();
  }
}
