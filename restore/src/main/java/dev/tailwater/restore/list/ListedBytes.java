package dev.tailwater.restore.list;

import dev.tailwater.destination.PermanentDestinationException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/**
 * The bytes of an object, at most as many as it was listed with. More of them are an error: a
 * segment never changes, and a hostile server could send without end. For one thread.
 */
final class ListedBytes extends FilterInputStream {
  private final URI uri;
  private final String key;
  private final long listedBytes;
  private long readBytes;

  ListedBytes(InputStream object, URI uri, String key, long listedBytes) {
    super(object);
    this.uri = uri;
    this.key = key;
    this.listedBytes = listedBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int count = super.read(target, from, length);
    readBytes += Math.max(count, 0);
    if (readBytes > listedBytes) {
      throw new PermanentDestinationException(
          uri,
          "read",
          key,
          "it was listed with " + listedBytes + " bytes, and more come",
          "Segments never change: somebody has overwritten it, or the server is broken.");
    }
    return count;
  }

  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[(int) Math.min(bytes, 8192)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
