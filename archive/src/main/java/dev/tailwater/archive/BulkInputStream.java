package dev.tailwater.archive;

import java.io.IOException;
import java.io.InputStream;

/** An input stream that reads single bytes as arrays of one byte. */
public abstract class BulkInputStream extends InputStream {
  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public abstract int read(byte[] target, int from, int lengthBytes) throws IOException;
}
