package dev.tailwater.destination;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A stream of a range of an object, which returns all bytes of the range or fails. This base class
 * checks arguments, reads single bytes, rejects reads after close, and closes the object once. For
 * one thread at a time.
 */
public abstract class ObjectStream extends InputStream {
  private final String key;
  private boolean closed;

  /**
   * @param key of the object, for messages
   */
  protected ObjectStream(String key) {
    this.key = key;
  }

  /**
   * Reads at least one byte.
   *
   * @param length at least 1
   * @return the number of bytes read, or -1 at the end of the range
   * @throws DestinationException when the object does not have all bytes of the range, or they
   *     cannot be read
   */
  protected abstract int readSome(byte[] target, int from, int length) throws IOException;

  /** Releases the resources of the stream; called once. */
  protected abstract void closeObject() throws IOException;

  /** Returns the object's key. */
  protected final String key() {
    return key;
  }

  /** Returns whether {@link #close} was called. */
  protected final boolean isClosed() {
    return closed;
  }

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (closed) {
      throw new IOException("the stream of " + key + " is closed");
    }
    return length == 0 ? 0 : readSome(target, from, length);
  }

  @Override
  public final void close() throws IOException {
    if (!closed) {
      closed = true;
      closeObject();
    }
  }
}
