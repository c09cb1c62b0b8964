package dev.tailwater.io.read;

import dev.tailwater.io.buffer.BufferPool;
import java.util.Optional;

/**
 * The options of a {@link ReadableFile}.
 *
 * @param method the method to use wherever it is allowed; empty to choose for each range
 * @param buffers the pool of native memory; empty for a pool of the file's own, of at most 64 MiB,
 *     which takes memory only during reads
 */
public record ReadOptions(Optional<ReadMethod> method, Optional<BufferPool> buffers) {
  /** Returns options that choose a method for each range and use a pool of their own. */
  public static ReadOptions defaults() {
    return new ReadOptions(Optional.empty(), Optional.empty());
  }

  /** Returns these options with one method for all ranges. */
  public ReadOptions withMethod(ReadMethod requested) {
    return new ReadOptions(Optional.of(requested), buffers);
  }

  /** Returns these options with a shared pool, which must outlive the file. */
  public ReadOptions withBuffers(BufferPool pool) {
    return new ReadOptions(method, Optional.of(pool));
  }
}
