package dev.tailwater.cli.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** Tells how much has been read. */
public final class CountedInput extends FilterInputStream {
  private final LongConsumer progress;
  private long readBytes;

  /** The progress is told the number of bytes so far. */
  public CountedInput(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    count(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int read = super.read(target, from, length);
    count(Math.max(0, read));
    return read;
  }

  private void count(int bytes) {
    readBytes += bytes;
    progress.accept(readBytes);
  }
}
