package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectStream;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;

/** A stream of a range of a file in HDFS. */
final class HdfsObjectStream extends ObjectStream {
  private final InputStream file;
  private final Failures failures;
  private long leftBytes;

  /**
   * @param file positioned at the first byte
   * @param lengthBytes of the range, at most the bytes that the file has from there
   */
  HdfsObjectStream(InputStream file, String key, long lengthBytes, Failures failures) {
    super(key);
    this.file = file;
    this.leftBytes = lengthBytes;
    this.failures = failures;
  }

  @Override
  protected int readSome(byte[] target, int from, int length) throws DestinationException {
    if (leftBytes == 0) {
      return -1;
    }
    int count = readFile(target, from, (int) Math.min(length, leftBytes));
    if (count < 0) {
      throw new TransientDestinationException(
          failures.uri(),
          "read",
          key(),
          "the file ends " + leftBytes + " bytes early",
          "Somebody else changes files in the archive; they are never changed by Tailwater.");
    }
    leftBytes -= count;
    return count;
  }

  private int readFile(byte[] target, int from, int length) throws DestinationException {
    try {
      return file.read(target, from, length);
    } catch (IOException | RuntimeException e) {
      throw failures.of("read", key(), e);
    }
  }

  @Override
  public int available() throws IOException {
    return isClosed() ? 0 : (int) Math.min(leftBytes, file.available());
  }

  @Override
  protected void closeObject() throws DestinationException {
    try {
      file.close();
    } catch (IOException e) {
      throw failures.of("read", key(), e);
    }
  }
}
