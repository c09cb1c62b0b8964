package dev.tailwater.delivery.deliver;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
    return staged.containsKey(range);
  }

  List<StagedRange> all() {
    settle();
    return List.copyOf(staged.keySet());
  }

  long totalBytes() {
    settle();
    return totalBytes.get();
  }

  /** Returns when the oldest byte was seen in its file; empty when there is none. */
  OptionalLong oldestNanos(long nowNanos) {
    settle();
    return staged.values().stream().mapToLong(one -> nowNanos - one.sinceNanos()).max().stream()
        .map(age -> nowNanos - age)
        .findFirst();
  }
}
