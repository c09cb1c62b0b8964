package dev.tailwater.posix;

import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.MemorySegment;

/**
 * Calls that copy bytes within this process. They make no system call, set no errno and cannot
 * fail.
 *
 * <p>A range on the Java heap is passed as it is, by <em>critical</em> downcalls of at most {@value
 * #MAX_CRITICAL_BYTES} bytes one after the other, since no garbage collection can happen during
 * one. Between native ranges there is one ordinary downcall, for any length.
 *
 * <p>In every call the ranges must have the same size, must not overlap, and must stay mapped: a
 * page of a truncated mapped file kills the process with SIGBUS (where {@link
 * MemorySegment#copyFrom} throws). Implementations are thread-safe; the bytes are visible to
 * whoever synchronizes with the thread that copied.
 */
public interface MemoryCalls {
  /**
   * The most that one critical downcall copies: about 50 microseconds at 10 GB/s, and still about
   * 100 where memory is half as fast.
   */
  int MAX_CRITICAL_BYTES = 512 * 1024;

  /**
   * Copies with the C library's memcpy, which chooses a method by length.
   *
   * @throws IllegalArgumentException when the sizes differ or the target is read-only
   * @see <a href="https://man7.org/linux/man-pages/man3/memcpy.3.html">memcpy(3)</a>
   */
  void copy(MemorySegment source, MemorySegment target);

  /**
   * Copies with non-temporal stores, where {@link #engine()} says so: the target's bytes are not in
   * the cache afterwards, and have pushed nothing out of it. Otherwise as {@link #copy}.
   *
   * @throws IllegalArgumentException when the sizes differ or the target is read-only
   */
  void copyStreaming(MemorySegment source, MemorySegment target);

  /** Returns the engine of {@link #copyStreaming}. */
  CopyEngine engine();

  /** Returns why that engine was chosen, for a message. */
  String engineReason();
}
