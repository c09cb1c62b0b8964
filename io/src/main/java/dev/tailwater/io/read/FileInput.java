package dev.tailwater.io.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/**
 * A {@link ReadableFile} as a stream. Small reads come out of a buffer of 64 KiB, large ones
 * straight from the file. Not thread-safe, as streams are.
 */
final class FileInput extends InputStream {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int TRANSFER_BYTES = 1 << 20;

  private final Source file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;

  /** In the file, behind what is in the buffer. */
  private long nextBytes;

  private long markBytes;

  /** A file that can be read from any offset. */
  interface Source {
    /** Returns the bytes read: fewer than asked for only at the end of the file, 0 after it. */
    int read(long offsetBytes, byte[] target, int from, int lengthBytes) throws IOException;

    long sizeBytes() throws IOException;
  }

  FileInput(Source file) {
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    if (position == limit && !fill()) {
      return -1;
    }
    return buffer[position++] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    if (lengthBytes == 0) {
      return 0;
    }
    if (position == limit) {
      if (lengthBytes >= BUFFER_BYTES) {
        int count = file.read(nextBytes, target, from, lengthBytes);
        nextBytes += count;
        return count == 0 ? -1 : count;
      }
      if (!fill()) {
        return -1;
      }
    }
    int count = Math.min(lengthBytes, limit - position);
    System.arraycopy(buffer, position, target, from, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = file.read(nextBytes, buffer, 0, BUFFER_BYTES);
    nextBytes += limit;
    return limit > 0;
  }

  private long positionBytes() {
    return nextBytes - (limit - position);
  }

  private void moveTo(long offsetBytes) {
    nextBytes = offsetBytes;
    position = 0;
    limit = 0;
  }

  @Override
  public int available() throws IOException {
    return Math.clamp(file.sizeBytes() - positionBytes(), 0, Integer.MAX_VALUE);
  }

  /** Moves over bytes that the file has; never behind its end. */
  @Override
  public long skip(long countBytes) throws IOException {
    long there = Math.max(0, file.sizeBytes() - positionBytes());
    long skipped = Math.clamp(countBytes, 0, there);
    moveTo(positionBytes() + skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public void mark(int readLimitBytes) {
    markBytes = positionBytes();
  }

  /** To the mark, however far away; to the start where there was none. */
  @Override
  public void reset() {
    moveTo(markBytes);
  }

  @Override
  public long transferTo(OutputStream target) throws IOException {
    int buffered = limit - position;
    long done = buffered;
    target.write(buffer, position, buffered);
    moveTo(nextBytes);
    byte[] piece = new byte[Math.clamp(file.sizeBytes() - nextBytes, BUFFER_BYTES, TRANSFER_BYTES)];
    for (int count = read(piece, 0, piece.length); count > 0; ) {
      target.write(piece, 0, count);
      done += count;
      count = read(piece, 0, piece.length);
    }
    return done;
  }
}
