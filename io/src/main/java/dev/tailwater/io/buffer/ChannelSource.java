package dev.tailwater.io.buffer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;

/** {@link ByteSources#of(ReadableByteChannel)}. */
final class ChannelSource implements ByteSource {
  private final ReadableByteChannel channel;

  ChannelSource(ReadableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(MemorySegment target) throws IOException {
    long lengthBytes = Math.min(Integer.MAX_VALUE, target.byteSize());
    int count = channel.read(target.asSlice(0, lengthBytes).asByteBuffer());
    if (count == 0) {
      throw new IllegalStateException("the channel does not block, so it cannot be waited for");
    }
    return count;
  }
}
