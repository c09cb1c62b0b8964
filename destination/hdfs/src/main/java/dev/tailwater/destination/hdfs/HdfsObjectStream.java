package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectStream;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of a range of a file in HDFS. The blocks of a file that is replaced are removed soon
 * afterwards: the stream then begins again with the new file, unless it has given bytes already.
 */
final class HdfsObjectStream extends ObjectStream {
  /** A file would have to be replaced as often within one read. */
  private static final int TRIES = 5;

  private final Source source;
  private final Failures failures;
  private Range range;
  private long leftBytes;

  /** Whether bytes were given: those of another file cannot follow them. */
  private boolean begun;

  /** Opens the file that has the key now. */
  interface Source {
    Range open() throws IOException;
  }

  /**
   * A range of an open file.
   *
   * @param file positioned at the first byte
   * @param lengthBytes of the range, at most the bytes that the file has from there
   */
  record Range(InputStream file, long lengthBytes) {}

  HdfsObjectStream(Source source, String key, Failures failures) throws IOException {
    super(key);
    this.source = source;
    this.failures = failures;
    this.range = source.open();
    this.leftBytes = range.lengthBytes();
  }

  @Override
  protected int readSome(byte[] target, int from, int length) throws DestinationException {
    int count = readFile(target, from, length);
    if (leftBytes == 0) {
      return -1;
    }
    if (count < 0) {
      throw new TransientDestinationException(
          failures.uri(),
          "read",
          key(),
          "the file ends " + leftBytes + " bytes early",
          "Somebody else changes files in the archive; they are never changed by Tailwater.");
    }
    begun = true;
    leftBytes -= count;
    return count;
  }

  private int readFile(byte[] target, int from, int length) throws DestinationException {
    for (int tries = 1; leftBytes > 0; tries++) {
      try {
        return range.file().read(target, from, (int) Math.min(length, leftBytes));
      } catch (IOException | RuntimeException e) {
        if (begun || tries == TRIES || isInterrupted(e)) {
          throw failures.of("read", key(), e);
        }
        openAgain(e);
      }
    }
    return 0;
  }

  /** Whoever interrupts a read waits for its end, and not for a second one. */
  private static boolean isInterrupted(Exception e) {
    return Failures.isInterruption(e) || Thread.currentThread().isInterrupted();
  }

  private void openAgain(Exception reason) throws DestinationException {
    try {
      Range replaced = range;
      range = source.open();
      leftBytes = range.lengthBytes();
      replaced.file().close();
    } catch (DestinationException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      e.addSuppressed(reason);
      throw failures.of("read", key(), e);
    }
  }

  @Override
  public int available() throws IOException {
    return isClosed() ? 0 : (int) Math.min(leftBytes, range.file().available());
  }

  @Override
  protected void closeObject() throws DestinationException {
    try {
      range.file().close();
    } catch (IOException e) {
      throw failures.of("read", key(), e);
    }
  }
}
