package dev.tailwater.io.buffer;

import dev.tailwater.io.Descriptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;

/**
 * Bytes one after the other, from wherever. A lambda will do: {@code target -> file.read(...)}.
 * Used by one thread at a time.
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

  /**
   * A file from an offset on, by positional reads: one system call for each {@code read}, and no
   * copy. The descriptor's own position is neither used nor moved, and the descriptor not closed.
   * Targets must be native memory.
   *
   * @throws IllegalArgumentException when the offset is negative
   */
  static ByteSource of(Descriptor descriptor, long offsetBytes) {
    return new DescriptorSource(descriptor, offsetBytes);
  }

  /**
   * A stream, which stays open. A target on the heap (of a {@code byte[]}) is read into without a
   * copy; native memory costs one, through an array as large as the largest target.
   */
  static ByteSource of(InputStream stream) {
    return new StreamSource(stream);
  }

  /**
   * A channel, which stays open: a file, a socket, a pipe. Native targets are read into without a
   * copy.
   *
   * @throws IllegalStateException by {@code read}, when the channel does not block
   */
  static ByteSource of(ReadableByteChannel channel) {
    return new ChannelSource(channel);
  }
}
