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
 * A writer of hint files and index checkpoints: a header, and blocks with a checksum each. Does not
 * sync. Used by one thread.
 */
final class BlockWriter implements AutoCloseable {
  static final int BLOCK_HEADER_BYTES = 16;
  static final int MAX_CONTENT_BYTES = 64 * 1024;

  private static final int CRC_BYTES = Integer.BYTES;
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FileCalls calls;
  private final int fd;
  private final long salt;
  private final Arena arena = Arena.ofShared(); // a hint is handed to another thread
  private final MemorySegment memory;
  private final ByteBuffer block;
  private final CRC32C crc = new CRC32C();
  private long offsetBytes;
  private BlockKind kind = BlockKind.END;

  BlockWriter(FileCalls calls, int fd, FileHeader header) throws ErrnoException {
    this.calls = calls;
    this.fd = fd;
    this.salt = header.salt();
    this.memory = arena.allocate(BLOCK_HEADER_BYTES + MAX_CONTENT_BYTES);
    this.block = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    block.put(header.toBytes());
    Transfers.writeAll(calls, fd, memory.asSlice(0, block.position()), 0);
    offsetBytes = block.position();
    block.clear().position(BLOCK_HEADER_BYTES);
  }

  /** Adds numbers, all to one block, which may hold earlier ones of this kind. */
  void add(BlockKind wanted, long... numbers) throws ErrnoException {
    if (kind != wanted || block.remaining() < numbers.length * Long.BYTES) {
      flush();
      kind = wanted;
    }
    for (long number : numbers) {
      block.putLong(number);
    }
  }

  /** Adds an entry. */
  void addEntry(long first, long second) throws ErrnoException {
    if (kind != BlockKind.ENTRIES || block.remaining() < ENTRY_BYTES) {
      flush();
      kind = BlockKind.ENTRIES;
    }
    block.putLong(first).putLong(second);
  }

  /** Adds the first of these numbers, which may go into several blocks. */
  void addAll(BlockKind wanted, long[] numbers, int count) throws ErrnoException {
    int done = 0;
    while (done < count) {
      if (kind != wanted || block.remaining() < Long.BYTES) {
        flush();
        kind = wanted;
      }
      int fits = Math.min(block.remaining() / Long.BYTES, count - done);
      MemorySegment.copy(numbers, done, memory, LONG, block.position(), fits);
      block.position(block.position() + fits * Long.BYTES);
      done += fits;
    }
  }

  /** Writes the rest, and the end block, without which the file is useless. */
  long finish() throws ErrnoException {
    flush();
    kind = BlockKind.END;
    block.putLong(offsetBytes);
    flush();
    return offsetBytes;
  }

  /** Writes what was added. */
  void flush() throws ErrnoException {
    int length = block.position();
    if (length == BLOCK_HEADER_BYTES) {
      return;
    }
    block.putInt(4, length - BLOCK_HEADER_BYTES).putInt(8, kind.code()).putInt(12, 0);
    crc.reset();
    crc.update(
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(salt)
            .putLong(offsetBytes)
            .flip());
    crc.update(block.flip().position(CRC_BYTES));
    block.putInt(0, (int) crc.getValue());
    Transfers.writeAll(calls, fd, memory.asSlice(0, length), offsetBytes);
    offsetBytes += length;
    block.clear().position(BLOCK_HEADER_BYTES);
  }

  @Override
  public void close() {
    arena.close();
  }
}
