package dev.tailwater.io.read;

import dev.tailwater.io.buffer.BufferPool;
import java.util.Optional;

/**
 * How a {@link ReadableFile} reads.
 *
 * @param method what is used wherever it may be; empty for what suits each range
 * @param buffers where native memory comes from; empty for a pool of the file's own, of at most 64
 *     MiB, which takes memory only while it reads
 */
public record ReadOptions(Optional<ReadMethod> method, Optional<BufferPool> buffers) {
  /** What suits each range, and an own pool. */
  public static ReadOptions defaults() {
    return new ReadOptions(Optional.empty(), Optional.empty());
  }

  /** The same with a method for all ranges. */
  public ReadOptions withMethod(ReadMethod wished) {
    return new ReadOptions(Optional.of(wished), buffers);
  }

  /** The same with buffers from a pool that others use too, and that outlives the file. */
  public ReadOptions withBuffers(BufferPool pool) {
    return new ReadOptions(method, Optional.of(pool));
  }
}
