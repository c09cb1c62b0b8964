package dev.tailwater.io.buffer;

import dev.tailwater.io.Descriptor;
import java.io.InputStream;
import java.nio.channels.ReadableByteChannel;

/** Creates sources of bytes. */
public final class ByteSources {
  private ByteSources() {}

  /**
   * Reads a file from an offset on by positional reads: one system call for each {@code read}, and
   * no copy. The descriptor's own position is neither used nor moved, and the descriptor not
   * closed. Targets must be native memory.
   *
   * @throws IllegalArgumentException when the offset is negative
   */
  public static ByteSource of(Descriptor descriptor, long offsetBytes) {
    return new DescriptorSource(descriptor, offsetBytes);
  }

  /**
   * Reads a stream, which stays open. A target on the heap (of a {@code byte[]}) is read into
   * without a copy; native memory costs one, through an array as large as the largest target.
   */
  public static ByteSource of(InputStream stream) {
    return new StreamSource(stream);
  }

  /**
   * Reads a channel, which stays open: a file, a socket, a pipe. Native targets are read into
   * without a copy.
   *
   * @throws IllegalStateException by {@link ByteSource#read} when the channel does not block
   */
  public static ByteSource of(ReadableByteChannel channel) {
    return new ChannelSource(channel);
  }
}
