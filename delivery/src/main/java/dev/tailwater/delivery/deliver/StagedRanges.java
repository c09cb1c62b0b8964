package dev.tailwater.delivery.deliver;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ranges that were read and are not durable, with their ages. A range whose bytes are replaced
 * again and again may be under way several times: it is durable when all have arrived. Thread-safe.
 */
final class StagedRanges {
  private final Map<StagedRange, Staged> staged = new ConcurrentHashMap<>();
  private final AtomicLong totalBytes = new AtomicLong();

  /**
   * A range.
   *
   * @param isGivenUp whether it waits to be added again
   */
  private record Staged(long sinceNanos, int underWay, boolean isGivenUp) {
    Staged withOneMore() {
      return new Staged(sinceNanos, underWay + 1, false);
    }

    Staged withOneLess(boolean givenUp) {
      return new Staged(sinceNanos, underWay - 1, isGivenUp || givenUp);
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

  /** Notes that a range is given up: it stays until it is added again and has arrived. */
  void givenUp(StagedRange range) {
    end(range, true);
  }

  private void end(StagedRange range, boolean givenUp) {
    staged.computeIfPresent(
        range,
        (_, before) -> {
          Staged now = before.withOneLess(givenUp);
          if (!now.isOver()) {
            return now;
          }
          totalBytes.addAndGet(-range.range().lengthBytes());
          return null;
        });
  }

  boolean contains(StagedRange range) {
    return staged.containsKey(range);
  }

  List<StagedRange> all() {
    return List.copyOf(staged.keySet());
  }

  long totalBytes() {
    return totalBytes.get();
  }

  /** Returns when the oldest byte was seen in its file; empty when there is none. */
  OptionalLong oldestNanos(long nowNanos) {
    return staged.values().stream().mapToLong(one -> nowNanos - one.sinceNanos()).max().stream()
        .map(age -> nowNanos - age)
        .findFirst();
  }
}
