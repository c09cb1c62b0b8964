package dev.tailwater.io.buffer;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** What an acquirer may do to get its memory; decided under the pool's lock, done outside it. */
sealed interface Grant {
  /** Take this, which was used before. */
  record Reuse(MemorySegment memory) implements Grant {}

  /**
   * Unmap what is evicted, then map so many bytes.
   *
   * @param reservedBytes what was booked for it: the size without what is evicted, but no less than
   *     nothing. What is evicted beyond the size is still held, until it is said that it is not
   */
  record Map(long sizeBytes, List<MemorySegment> evicted, long reservedBytes) implements Grant {}
}
