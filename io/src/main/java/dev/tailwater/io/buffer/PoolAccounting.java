package dev.tailwater.io.buffer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The accounting of a pool: how much memory is held, and which of it is free. Memory counts from
 * its grant on, before it is mapped, until it is unmapped, so that the mapped memory never exceeds
 * the bound. Not thread-safe: used under the pool's lock.
 */
final class PoolAccounting {
  private final long boundBytes;
  private final TreeMap<Long, Deque<MemorySegment>> free = new TreeMap<>();
  private long heldBytes;
  private long freeBytes;
  private long peakBytes;
  private long reuses;
  private long mappings;
  private long evictions;

  PoolAccounting(long boundBytes) {
    this.boundBytes = boundBytes;
  }

  /** Reserves a buffer of this size class; returns empty if the buffers in use leave no room. */
  Optional<Grant> grant(long sizeBytes) {
    Deque<MemorySegment> fitting = free.get(sizeBytes);
    if (fitting != null) {
      reuses++;
      return Optional.of(new Grant.Reuse(takeFree(sizeBytes, fitting)));
    }
    long missingBytes = heldBytes + sizeBytes - boundBytes;
    if (missingBytes > freeBytes) {
      return Optional.empty();
    }
    List<MemorySegment> evicted = new ArrayList<>();
    long evictedBytes = 0;
    while (evictedBytes < missingBytes) {
      MemorySegment victim = takeVictim(missingBytes - evictedBytes);
      evicted.add(victim);
      evictedBytes += victim.byteSize();
    }
    mappings++;
    evictions += evicted.size();
    long reservedBytes = Math.max(0, sizeBytes - evictedBytes);
    heldBytes += reservedBytes;
    peakBytes = Math.max(peakBytes, heldBytes);
    return Optional.of(new Grant.Map(sizeBytes, evicted, reservedBytes));
  }

  /** Takes the smallest free buffer that suffices alone, else the largest. */
  private MemorySegment takeVictim(long missingBytes) {
    Map.Entry<Long, Deque<MemorySegment>> enough = free.ceilingEntry(missingBytes);
    Map.Entry<Long, Deque<MemorySegment>> chosen = enough != null ? enough : free.lastEntry();
    return takeFree(chosen.getKey(), chosen.getValue());
  }

  /** Takes the buffer that was released last, most of which is in the processor's caches. */
  private MemorySegment takeFree(long sizeBytes, Deque<MemorySegment> stack) {
    MemorySegment memory = stack.pop();
    if (stack.isEmpty()) {
      free.remove(sizeBytes);
    }
    freeBytes -= sizeBytes;
    return memory;
  }

  /** Adds a free buffer. */
  void giveBack(MemorySegment memory) {
    free.computeIfAbsent(memory.byteSize(), _ -> new ArrayDeque<>()).push(memory);
    freeBytes += memory.byteSize();
  }

  /** Ends the reservation of bytes that were unmapped or never mapped. */
  void unreserve(long bytes) {
    heldBytes -= bytes;
  }

  /** Takes all free buffers, which stay held until they are unmapped. */
  List<MemorySegment> takeAllFree() {
    List<MemorySegment> all = free.values().stream().flatMap(Deque::stream).toList();
    free.clear();
    freeBytes = 0;
    return all;
  }

  long heldBytes() {
    return heldBytes;
  }

  long freeBytes() {
    return freeBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  long reuses() {
    return reuses;
  }

  long mappings() {
    return mappings;
  }

  long evictions() {
    return evictions;
  }
}
