package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectStream;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.io.buffer.BufferPoolExhaustedException;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A stream of a range of an open file. It calls pread(2) once for each buffer. It takes the buffer
 * with the first read and gives it back when it is closed.
 */
final class FileObjectStream extends ObjectStream {
  private final Handle file;
  private final Failures failures;
  private final ObjectBuffers buffers;
  private Optional<PooledBuffer> taken = Optional.empty();
  private final long endBytes;
  private long nextBytes;
  private int bufferFrom;
  private int bufferTo;

  /**
   * @param startBytes offset of the first byte, at most {@code endBytes}
   * @param endBytes offset after the last byte, at most the size of the file
   */
  FileObjectStream(
      Handle file,
      String key,
      long startBytes,
      long endBytes,
      ObjectBuffers buffers,
      Failures failures) {
    super(key);
    this.file = file;
    this.nextBytes = startBytes;
    this.endBytes = endBytes;
    this.failures = failures;
    this.buffers = buffers;
  }

  @Override
  protected int readSome(byte[] target, int from, int length) throws DestinationException {
    if (bufferFrom == bufferTo && !fill()) {
      return -1;
    }
    int count = Math.min(length, bufferTo - bufferFrom);
    MemorySegment buffer = buffer();
    MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, bufferFrom, target, from, count);
    bufferFrom += count;
    return count;
  }

  private MemorySegment buffer() throws DestinationException {
    if (taken.isEmpty()) {
      taken = Optional.of(take());
    }
    return taken.get().segment();
  }

  private PooledBuffer take() throws DestinationException {
    try {
      return buffers.forReading("reading " + key());
    } catch (BufferPoolExhaustedException e) {
      throw TransientDestinationException.whileReading(failures.uri(), key(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(
          failures.uri(), "read", key(), "interrupted", DestinationException.MAY_PASS, e);
    }
  }

  private boolean fill() throws DestinationException {
    if (nextBytes == endBytes) {
      return false;
    }
    MemorySegment buffer = buffer();
    long wanted = Math.min(endBytes - nextBytes, buffer.byteSize());
    try {
      int count = file.calls().pread(file.fd(), buffer.asSlice(0, wanted), nextBytes);
      if (count <= 0) {
        throw new TransientDestinationException(
            failures.uri(),
            "read",
            key(),
            "the file became shorter while it was read: it ends at byte " + nextBytes,
            "Somebody else changes files in the archive; they are never changed by Tailwater.");
      }
      nextBytes += count;
      bufferFrom = 0;
      bufferTo = count;
      return true;
    } catch (ErrnoException e) {
      throw failures.of("read", key(), e);
    }
  }

  @Override
  public int available() {
    return bufferTo - bufferFrom;
  }

  @Override
  protected void closeObject() throws DestinationException {
    taken.ifPresent(PooledBuffer::close);
    try {
      file.close();
    } catch (ErrnoException e) {
      throw failures.of("read", key(), e);
    }
  }
}
