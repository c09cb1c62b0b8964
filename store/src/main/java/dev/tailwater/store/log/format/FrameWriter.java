package dev.tailwater.store.log.format;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A writer of headers and frames through a native buffer. A frame that fits the buffer takes one
 * pwrite(2). Does not sync. Used by one thread at a time.
 */
public final class FrameWriter implements AutoCloseable {
  public static final int BUFFER_BYTES = 256 * 1024;

  private final FileCalls calls;
  // Shared: made by the thread that opens the store, used by the one that writes.
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);
  private int filledBytes;

  public FrameWriter(FileCalls calls) {
    this.calls = calls;
  }

  public void writeFileHeader(int fd, FileHeader header) throws ErrnoException {
    writeBytes(fd, header.toBytes(), 0);
  }

  public void writeBytes(int fd, byte[] bytes, long offsetBytes) throws ErrnoException {
    filledBytes = 0;
    flush(fd, add(fd, bytes, offsetBytes));
  }

  /** Writes the frame at this offset, and returns its end. */
  public long writeFrame(
      int fd, long salt, long offsetBytes, FrameKind kind, List<Operation> operations)
      throws ErrnoException {
    CRC32C crc = new CRC32C();
    int payloadBytes = 0;
    for (Operation operation : operations) {
      crc.update(OperationCodec.head(operation));
      crc.update(operation.key());
      crc.update(operation.value());
      crc.update(operation.tags());
      payloadBytes = Math.addExact(payloadBytes, operation.encodedBytes());
    }
    if (payloadBytes > FrameHeader.MAX_PAYLOAD_BYTES) {
      throw new IllegalStateException(
          "a frame of " + payloadBytes + " bytes, which no reader would take for one");
    }
    FrameHeader header =
        new FrameHeader(kind, payloadBytes, operations.size(), (int) crc.getValue());
    return write(fd, header.toBytes(salt, offsetBytes), operations, offsetBytes);
  }

  /** Writes a snapshot's last frame, and returns its end. */
  public long writeSnapshotEnd(int fd, long salt, long offsetBytes, long entries)
      throws ErrnoException {
    FrameHeader header = new FrameHeader(FrameKind.SNAPSHOT_END, 0, entries, 0);
    return write(fd, header.toBytes(salt, offsetBytes), List.of(), offsetBytes);
  }

  private long write(int fd, byte[] header, List<Operation> operations, long offsetBytes)
      throws ErrnoException {
    filledBytes = 0;
    long at = add(fd, header, offsetBytes);
    for (Operation operation : operations) {
      at = add(fd, OperationCodec.head(operation), at);
      at = add(fd, operation.key(), at);
      at = add(fd, operation.value(), at);
      at = add(fd, operation.tags(), at);
    }
    return flush(fd, at);
  }

  /**
   * Adds to the buffer, which begins at {@code offsetBytes} of the file; returns where it begins
   * now.
   */
  private long add(int fd, byte[] bytes, long offsetBytes) throws ErrnoException {
    long offset = offsetBytes;
    int done = 0;
    while (done < bytes.length) {
      if (filledBytes == BUFFER_BYTES) {
        offset = flush(fd, offset);
      }
      int length = Math.min(BUFFER_BYTES - filledBytes, bytes.length - done);
      MemorySegment.copy(bytes, done, buffer, ValueLayout.JAVA_BYTE, filledBytes, length);
      filledBytes += length;
      done += length;
    }
    return offset;
  }

  private long flush(int fd, long offsetBytes) throws ErrnoException {
    int done = 0;
    while (done < filledBytes) {
      MemorySegment rest = buffer.asSlice(done, filledBytes - done);
      int written = calls.pwrite(fd, rest, offsetBytes + done);
      if (written <= 0) {
        throw new ErrnoException("pwrite", "fd " + fd, Errno.EIO.number(), "wrote nothing");
      }
      done += written;
    }
    filledBytes = 0;
    return offsetBytes + done;
  }

  @Override
  public void close() {
    arena.close();
  }
}
