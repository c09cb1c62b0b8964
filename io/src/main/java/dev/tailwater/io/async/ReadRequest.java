package dev.tailwater.io.async;

import java.lang.foreign.MemorySegment;

/**
 * One positional read.
 *
 * @param offsetBytes where in the file to start
 * @param target native memory that every thread may use (of a shared, automatic or global arena),
 *     to be filled; 1 byte to 2,147,483,647. It stays allocated until the read is done: whoever
 *     closes its arena earlier lets the kernel write to memory that may be somebody else's by then
 */
public record ReadRequest(RandomFile file, long offsetBytes, MemorySegment target) {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException when one of these is not so; the message says which
   * @throws IllegalStateException when the target's arena is closed
   */
  public ReadRequest {
    Targets.check(file, offsetBytes, target);
  }
}
