package dev.tailwater.io.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@link ByteSources#of(InputStream)}. */
final class StreamSource implements ByteSource {
  private final InputStream stream;
  private byte[] copy = new byte[0];

  StreamSource(InputStream stream) {
    this.stream = stream;
  }

  @Override
  public int read(MemorySegment target) throws IOException {
    int lengthBytes = (int) Math.min(Integer.MAX_VALUE - 8, target.byteSize());
    if (target.heapBase().orElse(copy) instanceof byte[] array && !target.isNative()) {
      return atLeastOne(stream.read(array, (int) target.address(), lengthBytes));
    }
    if (copy.length < lengthBytes) {
      copy = new byte[lengthBytes];
    }
    int count = atLeastOne(stream.read(copy, 0, lengthBytes));
    MemorySegment.copy(copy, 0, target, ValueLayout.JAVA_BYTE, 0, Math.max(0, count));
    return count;
  }

  private int atLeastOne(int count) throws IOException {
    if (count == 0) {
      throw new IOException("the stream gave no byte and did not end: " + stream);
    }
    return count;
  }
}
