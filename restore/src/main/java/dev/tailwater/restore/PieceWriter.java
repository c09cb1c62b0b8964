package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places the raw bytes of a segment at their offsets in a file, straight as they are opened: one
 * copy into a native buffer, one pwrite(2) per buffer. Bytes outside the wanted range are skipped;
 * aligned blocks of {@value #BLOCK_BYTES} zeros are not written, so that they stay holes: the range
 * must be a hole before. Not thread-safe; several writers may write to disjoint ranges of one file.
 */
final class PieceWriter extends OutputStream {
  static final int BLOCK_BYTES = 4096;

  private final FileCalls calls;
  private final int fd;
  private final MemorySegment buffer;
  private final ByteRange wanted;
  private long positionBytes;
  private long bufferStartBytes;
  private int filledBytes;
  private @Nullable ErrnoException failure;

  /**
   * @param buffer native memory, a multiple of {@value #BLOCK_BYTES} long
   * @param startBytes the offset of the first byte that will come
   */
  PieceWriter(FileCalls calls, int fd, MemorySegment buffer, long startBytes, ByteRange wanted) {
    this.calls = calls;
    this.fd = fd;
    this.buffer = buffer;
    this.wanted = wanted;
    this.positionBytes = startBytes;
    this.bufferStartBytes = Math.max(startBytes, wanted.startBytes());
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] source, int from, int lengthBytes) throws IOException {
    long end = Math.min(positionBytes + lengthBytes, wanted.endBytes());
    long at = Math.max(positionBytes, wanted.startBytes());
    while (at < end) {
      int count = (int) Math.min(end - at, room());
      MemorySegment.copy(
          source,
          from + (int) (at - positionBytes),
          buffer,
          ValueLayout.JAVA_BYTE,
          filledBytes,
          count);
      filledBytes += count;
      at += count;
      if (room() == 0) {
        writeBuffer();
      }
    }
    positionBytes += lengthBytes;
  }

  /** Up to the next multiple of the buffer's size, so that later writes are aligned. */
  private long room() {
    long capacity = buffer.byteSize();
    return capacity - (bufferStartBytes % capacity) - filledBytes;
  }

  /**
   * Writes what is still buffered. Not {@link #flush}, which whoever opens a segment may call in
   * the middle of a block.
   */
  void finish() throws IOException {
    writeBuffer();
  }

  /** What the file system said when it refused a write; to tell it from a failed read. */
  Optional<ErrnoException> failure() {
    return Optional.ofNullable(failure);
  }

  private void writeBuffer() throws IOException {
    int runStart = 0;
    int at = 0;
    while (at < filledBytes) {
      int block =
          (int) Math.min(filledBytes - at, BLOCK_BYTES - (bufferStartBytes + at) % BLOCK_BYTES);
      if (block == BLOCK_BYTES && isZero(at)) {
        writeRun(runStart, at);
        runStart = at + block;
      }
      at += block;
    }
    writeRun(runStart, filledBytes);
    bufferStartBytes += filledBytes;
    filledBytes = 0;
  }

  private boolean isZero(int from) {
    for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
      if (buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, from + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void writeRun(int from, int end) throws IOException {
    int at = from;
    while (at < end) {
      try {
        at += calls.pwrite(fd, buffer.asSlice(at, end - at), bufferStartBytes + at);
      } catch (ErrnoException e) {
        failure = e;
        throw e;
      }
    }
  }
}
