package dev.tailwater.io.buffer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A sequential source of bytes. {@link ByteSources} creates sources for files, streams and
 * channels; a lambda works too: {@code target -> file.read(...)}. For one thread at a time.
 */
@FunctionalInterface
public interface ByteSource {
  /** The result of {@link #read} at the end. */
  int END = -1;

  /**
   * Reads the next bytes to the start of the target; waits for at least one.
   *
   * @param target at least 1 byte; which kinds of memory are allowed is up to the source
   * @return the number of bytes read, at least 1 and perhaps fewer than fit; {@link #END} at the
   *     end and after it
   * @throws IOException when the bytes cannot be had
   */
  int read(MemorySegment target) throws IOException;
}
