package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A reader of what a {@link BlockWriter} wrote. It reports any damage simply as broken, because
 * these files can be rebuilt from the data files. Used by one thread.
 */
final class BlockReader implements AutoCloseable {
  private static final int WINDOW_BYTES = 1024 * 1024;
  private static final int HEADER_BYTES = BlockWriter.BLOCK_HEADER_BYTES;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FileCalls calls;
  private final int fd;
  private final long salt;
  private final long sizeBytes;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment memory = arena.allocate(WINDOW_BYTES);
  private final ByteBuffer window = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private long windowStartBytes = FileHeader.LENGTH_BYTES;
  private BlockKind kind = BlockKind.END;
  private int contentEnd;
  private boolean broken;

  BlockReader(FileCalls calls, int fd, long salt) throws ErrnoException {
    this.calls = calls;
    this.fd = fd;
    this.salt = salt;
    this.sizeBytes = calls.fstat(fd).sizeBytes();
    window.limit(0);
  }

  /** Length of the file. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Kind of the block that {@link #next()} found. */
  BlockKind kind() {
    return kind;
  }

  /** Returns whether the file is damaged. */
  boolean isBroken() {
    return broken;
  }

  /** Goes back to before the first block, and forgets any damage. */
  void rewind() {
    windowStartBytes = FileHeader.LENGTH_BYTES;
    window.limit(0);
    contentEnd = 0;
    kind = BlockKind.END;
    broken = false;
  }

  /**
   * Goes to the next block, skipping the rest of this one; returns false at the end of the file.
   */
  boolean next() throws ErrnoException {
    window.position(Math.max(window.position(), contentEnd));
    if (broken || !has(HEADER_BYTES)) {
      broken = true;
      return false;
    }
    int start = window.position();
    int length = window.getInt(start + 4);
    BlockKind found = BlockKind.of(window.getInt(start + 8));
    if (length <= 0
        || length > BlockWriter.MAX_CONTENT_BYTES
        || length % Long.BYTES != 0
        || found == null
        || !has(HEADER_BYTES + length)) {
      broken = true;
      return false;
    }
    start = window.position();
    long offsetBytes = windowStartBytes + start;
    if (window.getInt(start) != crc(start, HEADER_BYTES + length, offsetBytes)) {
      broken = true;
      return false;
    }
    kind = found;
    contentEnd = start + HEADER_BYTES + length;
    window.position(start + HEADER_BYTES);
    broken = kind == BlockKind.END && window.getLong(window.position()) != offsetBytes;
    return kind != BlockKind.END;
  }

  /** Goes on to the next longs of this kind of block, in this block or the next; false: others. */
  boolean moveTo(BlockKind wanted, int longs) throws ErrnoException {
    if (remaining() == 0 && !next()) {
      return false;
    }
    return kind == wanted && remaining() >= longs;
  }

  /** Number of longs left in this block. */
  int remaining() {
    return Math.max(0, contentEnd - window.position()) / Long.BYTES;
  }

  long nextLong() {
    return window.getLong();
  }

  /** Reads so many longs, or as many as this block has left, and returns how many. */
  int nextLongs(long[] into, int most) {
    int count = Math.min(most, remaining());
    MemorySegment.copy(memory, LONG, window.position(), into, 0, count);
    window.position(window.position() + count * Long.BYTES);
    return count;
  }

  private int crc(int start, int length, long offsetBytes) {
    crc.reset();
    crc.update(
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(salt)
            .putLong(offsetBytes)
            .flip());
    crc.update(window.slice(start + Integer.BYTES, length - Integer.BYTES));
    return (int) crc.getValue();
  }

  /** Loads this many bytes into the window from its position on, if the file has them. */
  private boolean has(int length) throws ErrnoException {
    if (window.remaining() >= length) {
      return true;
    }
    windowStartBytes += window.position();
    contentEnd = 0;
    int read = Transfers.readFully(calls, fd, memory, windowStartBytes);
    window.clear().limit(read);
    return read >= length;
  }

  @Override
  public void close() {
    arena.close();
  }
}
