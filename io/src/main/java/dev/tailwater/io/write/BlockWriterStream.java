package dev.tailwater.io.write;

import java.io.IOException;
import java.io.OutputStream;

/** A {@link BlockWriter} as the stream that other libraries want. */
final class BlockWriterStream extends OutputStream {
  private final Target writer;
  private final byte[] single = new byte[1];

  /** What takes the bytes. */
  interface Target {
    void write(byte[] source, int from, int lengthBytes) throws IOException;

    void flush() throws IOException;

    void close() throws IOException;
  }

  BlockWriterStream(Target writer) {
    this.writer = writer;
  }

  @Override
  public void write(int b) throws IOException {
    single[0] = (byte) b;
    writer.write(single, 0, 1);
  }

  @Override
  public void write(byte[] source, int from, int lengthBytes) throws IOException {
    writer.write(source, from, lengthBytes);
  }

  @Override
  public void flush() throws IOException {
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
