package dev.tailwater.io.buffer;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** What a thread may do to get its memory. Decided under the pool's lock, done without it. */
sealed interface Grant {
  /** Reuse this memory. */
  record Reuse(MemorySegment memory) implements Grant {}

  /**
   * Unmap the evicted memory, then map new memory.
   *
   * @param reservedBytes the bytes reserved in addition to the evicted ones: the size less the
   *     evicted bytes, at least 0. Evicted bytes beyond the size stay reserved until they are
   *     unmapped
   */
  record Map(long sizeBytes, List<MemorySegment> evicted, long reservedBytes) implements Grant {}
}
