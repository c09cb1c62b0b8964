package dev.tailwater.delivery.deliver;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The ranges that were read and are not durable, with their ages. Thread-safe. */
final class StagedRanges {
  private final Map<StagedRange, Long> sinceNanos = new ConcurrentHashMap<>();
  private final AtomicLong totalBytes = new AtomicLong();

  /**
   * Adds a range.
   *
   * @param seenAtNanos when the first of its bytes was seen in the file
   */
  void add(StagedRange range, long seenAtNanos) {
    if (sinceNanos.put(range, seenAtNanos) == null) {
      totalBytes.addAndGet(range.range().lengthBytes());
    }
  }

  void remove(StagedRange range) {
    if (sinceNanos.remove(range) != null) {
      totalBytes.addAndGet(-range.range().lengthBytes());
    }
  }

  boolean contains(StagedRange range) {
    return sinceNanos.containsKey(range);
  }

  List<StagedRange> all() {
    return List.copyOf(sinceNanos.keySet());
  }

  long totalBytes() {
    return totalBytes.get();
  }

  /** Returns when the oldest byte was seen in its file; empty when there is none. */
  OptionalLong oldestNanos(long nowNanos) {
    return sinceNanos.values().stream().mapToLong(since -> nowNanos - since).max().stream()
        .map(age -> nowNanos - age)
        .findFirst();
  }
}
