package dev.tailwater.archive;

import java.io.IOException;
import java.io.InputStream;

/**
 * An input stream that counts the bytes of an object, for messages. Does not close its source. Not
 * thread-safe.
 */
public final class ObjectInput extends InputStream {
  private static final int BUFFER_BYTES = 8 * 1024;

  private final InputStream source;
  private final String key;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int limit;
  private long fetched;

  /**
   * Creates a stream.
   *
   * @param source the object from its beginning
   * @param key its key
   */
  public ObjectInput(InputStream source, String key) {
    this.source = source;
    this.key = key;
  }

  /** Returns how many bytes of the object have been read. */
  public long offsetBytes() {
    return fetched - (limit - next);
  }

  /** Returns the key of the object. */
  public String key() {
    return key;
  }

  /** Returns an exception for damage at or before the current offset. */
  public DamagedSegmentException damaged(String why) {
    return damagedAt(offsetBytes(), why);
  }

  /** Returns an exception for damage at or before an offset of the object. */
  public DamagedSegmentException damagedAt(long offsetBytes, String why) {
    return new DamagedSegmentException(key, offsetBytes, why);
  }

  @Override
  public int read() throws IOException {
    if (next == limit) {
      next = 0;
      limit = Math.max(0, source.read(buffer, 0, BUFFER_BYTES));
      fetched += limit;
      if (limit == 0) {
        return -1;
      }
    }
    return Byte.toUnsignedInt(buffer[next++]);
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    if (next < limit) {
      int taken = Math.min(limit - next, lengthBytes);
      System.arraycopy(buffer, next, target, from, taken);
      next += taken;
      return taken;
    }
    int taken = source.read(target, from, lengthBytes);
    fetched += Math.max(0, taken);
    return taken;
  }
}
