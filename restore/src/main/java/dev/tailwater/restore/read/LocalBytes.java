package dev.tailwater.restore.read;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/** A reader of local files, for comparisons. For one thread. */
public final class LocalBytes implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final TailReader reader;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  public LocalBytes(FileCalls calls) {
    this.reader = new TailReader(calls);
  }

  /** Computes the CRC-32C of a range; empty when the file ends before the range does. */
  public OptionalInt crc32c(int fd, ByteRange range) throws ErrnoException {
    CRC32C crc = new CRC32C();
    for (long at = range.startBytes(); at < range.endBytes(); ) {
      int wanted = (int) Math.min(BUFFER_BYTES, range.endBytes() - at);
      int count = reader.read(fd, at, buffer, 0, wanted);
      if (count == 0) {
        return OptionalInt.empty();
      }
      crc.update(buffer, 0, count);
      at += count;
    }
    return OptionalInt.of((int) crc.getValue());
  }

  /** Returns whether the file has nothing but zeros in a range, as far as it reaches. */
  public boolean isZero(int fd, ByteRange range) throws ErrnoException {
    for (long at = range.startBytes(); at < range.endBytes(); ) {
      int wanted = (int) Math.min(BUFFER_BYTES, range.endBytes() - at);
      int count = reader.read(fd, at, buffer, 0, wanted);
      if (count == 0) {
        return true;
      }
      for (int i = 0; i < count; i++) {
        if (buffer[i] != 0) {
          return false;
        }
      }
      at += count;
    }
    return true;
  }

  /** Reads as much as the file has; returns the number of bytes read. */
  public int read(int fd, long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    return reader.read(fd, offsetBytes, target, from, lengthBytes);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
