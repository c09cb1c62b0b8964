package dev.tailwater.posix;

import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.MemorySegment;

/**
 * Calls that copy bytes within this process. They make no system call, set no errno and cannot
 * fail.
 *
 * <p>A range on the Java heap is copied in place by a series of <em>critical</em> downcalls of at
 * most {@value #MAX_CRITICAL_BYTES} bytes each, since no garbage collection can happen during one.
 * A copy between native ranges is one ordinary downcall of any length.
 *
 * <p>The two ranges of a call must have the same size, must not overlap, and must stay mapped: a
 * page of a mapped file that was truncated kills the process with SIGBUS (where {@link
 * MemorySegment#copyFrom} throws). Implementations are thread-safe; the bytes are visible to every
 * thread that synchronizes with the copying thread.
 */
public interface MemoryCalls {
  /**
   * The maximum length of one critical downcall, in bytes: a copy takes about 50 microseconds at 10
   * GB/s, and about 100 where memory is half as fast.
   */
  int MAX_CRITICAL_BYTES = 512 * 1024;

  /**
   * Copies with the C library's memcpy, which chooses its method by the length.
   *
   * @throws IllegalArgumentException if the sizes differ or the target is read-only
   * @see <a href="https://man7.org/linux/man-pages/man3/memcpy.3.html">memcpy(3)</a>
   */
  void copy(MemorySegment source, MemorySegment target);

  /**
   * Copies with non-temporal stores, if {@link #engine()} has them: the bytes of the target bypass
   * the processor's caches and evict nothing from them. Otherwise equivalent to {@link #copy}.
   *
   * @throws IllegalArgumentException if the sizes differ or the target is read-only
   */
  void copyStreaming(MemorySegment source, MemorySegment target);

  /** Returns the engine that {@link #copyStreaming} uses. */
  CopyEngine engine();

  /** Returns the reason why that engine was chosen, for a message. */
  String engineReason();
}
