package dev.tailwater.restore.list;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Knows whether anything was written to a stream. For one thread. */
final class NotedOutput extends FilterOutputStream {
  private boolean written;

  NotedOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    written = true;
    out.write(b);
  }

  @Override
  public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
    written |= lengthBytes > 0;
    out.write(bytes, from, lengthBytes);
  }

  boolean hasWritten() {
    return written;
  }
}
