package dev.tailwater.cli.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** An input stream that reports how much has been read. */
public final class CountedInput extends FilterInputStream {
  private final LongConsumer progress;
  private long readBytes;

  /** Creates one that reports the number of bytes read so far. */
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
