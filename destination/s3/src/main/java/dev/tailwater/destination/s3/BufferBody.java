package dev.tailwater.destination.s3;

import dev.tailwater.destination.cloud.Crc32cText;
import java.io.InputStream;
import java.nio.ByteBuffer;
import software.amazon.awssdk.core.sync.RequestBody;

/**
 * A request body that reads from a buffer without a copy of the whole. The HTTP client reads it in
 * pieces of a few KiB: once to send it and, if the connection is not encrypted, once more for the
 * signature.
 *
 * @param content the bytes from position to limit; never changed
 */
record BufferBody(ByteBuffer content) {
  private static final String TYPE = "application/octet-stream";

  static BufferBody of(ByteBuffer content) {
    return new BufferBody(content.asReadOnlyBuffer());
  }

  int lengthBytes() {
    return content.remaining();
  }

  RequestBody asRequestBody() {
    return RequestBody.fromContentProvider(
        () -> new Bytes(content.duplicate()), lengthBytes(), TYPE);
  }

  /** Returns the checksum for the {@code x-amz-checksum-crc32c} header. */
  String crc32c() {
    return Crc32cText.of(content);
  }

  private static final class Bytes extends InputStream {
    private final ByteBuffer buffer;

    Bytes(ByteBuffer buffer) {
      this.buffer = buffer;
      buffer.mark();
    }

    @Override
    public int read() {
      return buffer.hasRemaining() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int from, int length) {
      if (length > 0 && !buffer.hasRemaining()) {
        return -1;
      }
      int count = Math.min(length, buffer.remaining());
      buffer.get(target, from, count);
      return count;
    }

    @Override
    public long skip(long count) {
      int skipped = Math.clamp(count, 0, buffer.remaining());
      buffer.position(buffer.position() + skipped);
      return skipped;
    }

    @Override
    public int available() {
      return buffer.remaining();
    }

    @Override
    public boolean markSupported() {
      return true;
    }

    @Override
    public void mark(int limit) {
      buffer.mark();
    }

    @Override
    public void reset() {
      buffer.reset();
    }
  }
}
