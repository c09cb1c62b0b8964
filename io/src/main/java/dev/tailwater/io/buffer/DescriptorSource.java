package dev.tailwater.io.buffer;

import dev.tailwater.io.Descriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** {@link ByteSources#of(Descriptor, long)}. */
final class DescriptorSource implements ByteSource {
  private final Descriptor descriptor;
  private long offsetBytes;

  DescriptorSource(Descriptor descriptor, long offsetBytes) {
    if (offsetBytes < 0) {
      throw new IllegalArgumentException(
          "reading %s from offset %d".formatted(descriptor, offsetBytes));
    }
    this.descriptor = descriptor;
    this.offsetBytes = offsetBytes;
  }

  @Override
  public int read(MemorySegment target) throws IOException {
    int count;
    try {
      count = descriptor.calls().pread(descriptor.fd(), target, offsetBytes);
    } catch (IOException e) {
      throw new IOException(
          "reading " + descriptor.path() + " at offset " + offsetBytes + ": " + e.getMessage(), e);
    }
    offsetBytes += Math.max(0, count);
    return count > 0 ? count : END;
  }
}
