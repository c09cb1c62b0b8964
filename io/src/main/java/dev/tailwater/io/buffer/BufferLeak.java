package dev.tailwater.io.buffer;

import java.util.Optional;

/**
 * A buffer that was never released, and that nothing refers to any more. The pool has it back.
 *
 * @param holder who acquired it
 * @param sizeBytes what the pool had lent
 * @param origin where it was acquired, as the stack trace of this throwable; empty unless {@link
 *     BufferPoolOptions#traceOrigins} is on
 */
public record BufferLeak(String holder, long sizeBytes, Optional<Throwable> origin) {
  @Override
  public String toString() {
    return HolderReport.size(sizeBytes) + " of '" + holder + "'";
  }
}
