package dev.tailwater.io.buffer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Bytes in order, from any source: {@link ByteSources} has those for files, streams and channels,
 * and a lambda will do: {@code target -> file.read(...)}. Used by one thread at a time.
 */
@FunctionalInterface
public interface ByteSource {
  /** What {@link #read} says at the end. */
  int END = -1;

  /**
   * Reads the next bytes to the start of the target; waits for at least one.
   *
   * @param target at least 1 byte; which kinds of memory are allowed is up to the source
   * @return how many were read, at least 1 and perhaps fewer than fit; {@link #END} at the end, and
   *     from then on
   * @throws IOException when the bytes cannot be had
   */
  int read(MemorySegment target) throws IOException;
}
