package dev.tailwater.destination.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.sync.RequestBody;

/**
 * The bytes of a buffer as the body of a request, without a copy of the whole: the HTTP client
 * reads them in pieces of a few KiB, once for the signature where the connection is not encrypted,
 * and once to send them.
 *
 * @param content from position to limit; never changed
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

  /** As in {@code x-amz-checksum-crc32c}: big-endian, in base 64. */
  String crc32c() {
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(bytes);
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
