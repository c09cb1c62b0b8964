package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The bytes of a range of a file: all of them, or a failure. For one thread at a time. */
final class ObjectStream extends InputStream {
  private final InputStream file;
  private final String key;
  private final Failures failures;
  private long leftBytes;
  private boolean closed;

  /**
   * @param file positioned at the first byte
   * @param lengthBytes how many bytes there are to be, at most what the file has
   */
  ObjectStream(InputStream file, String key, long lengthBytes, Failures failures) {
    this.file = file;
    this.key = key;
    this.leftBytes = lengthBytes;
    this.failures = failures;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (closed) {
      throw new IOException("the stream of " + key + " is closed");
    }
    if (length == 0) {
      return 0;
    }
    if (leftBytes == 0) {
      return -1;
    }
    int count = readSome(target, from, (int) Math.min(length, leftBytes));
    if (count < 0) {
      throw new TransientDestinationException(
          failures.uri(),
          "read",
          key,
          "the file ends " + leftBytes + " bytes early",
          "Somebody else changes files in the archive; they are never changed by Tailwater.");
    }
    leftBytes -= count;
    return count;
  }

  private int readSome(byte[] target, int from, int length) throws DestinationException {
    try {
      return file.read(target, from, length);
    } catch (IOException | RuntimeException e) {
      throw failures.of("read", key, e);
    }
  }

  @Override
  public int available() throws IOException {
    return closed ? 0 : (int) Math.min(leftBytes, file.available());
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        file.close();
      } catch (IOException e) {
        throw failures.of("read", key, e);
      }
    }
  }
}
