package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.PageSize;
import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Reads into page-aligned memory and writes whole windows of a {@link BlockWriter} from there,
 * which takes them without a copy. Offsets are those of the source; the target's are {@code
 * shiftBytes} more.
 */
final class BlockCopier implements AutoCloseable {
  private final Descriptor source;
  private final long shiftBytes;
  private final BlockWriter writer;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment window;

  BlockCopier(Descriptor source, BlockWriter writer, long shiftBytes) {
    this.source = source;
    this.writer = writer;
    this.shiftBytes = shiftBytes;
    this.window = arena.allocate(writer.writeBytes(), PageSize.bytes());
  }

  /** Copies up to {@code to} or the end of the source, and returns which of them it was. */
  long copy(long from, long to) throws ErrnoException {
    writer.seek(from + shiftBytes);
    long at = from;
    while (at < to) {
      int wanted = toWindowEnd(at, to);
      int filled = fill(at, wanted);
      writer.write(window.asSlice(0, filled));
      at += filled;
      if (filled < wanted) {
        return at;
      }
    }
    return at;
  }

  /** Writes zeros for a range of the source. */
  void zeros(long from, long to) throws ErrnoException {
    writer.seek(from + shiftBytes);
    window.fill((byte) 0);
    long at = from;
    while (at < to) {
      int length = toWindowEnd(at, to);
      writer.write(window.asSlice(0, length));
      at += length;
    }
  }

  private int toWindowEnd(long at, long to) {
    long inWindow = (at + shiftBytes) % writer.writeBytes();
    return (int) Math.min(to - at, writer.writeBytes() - inWindow);
  }

  private int fill(long at, int wanted) throws ErrnoException {
    int filled = 0;
    while (filled < wanted) {
      int count = read(window.asSlice(filled, wanted - filled), at + filled);
      if (count == 0) {
        return filled;
      }
      filled += count;
    }
    return filled;
  }

  private int read(MemorySegment to, long at) throws ErrnoException {
    try {
      return source.calls().pread(source.fd(), to, at);
    } catch (ErrnoException e) {
      throw new ErrnoException(
          e.operation(),
          source.path() + " at offset " + at,
          e.errnoNumber(),
          e.errno().text() + "; the copy got as far as there");
    }
  }

  void flush() throws ErrnoException {
    writer.flush();
  }

  long kernelWrites() {
    return writer.kernelWrites();
  }

  /** Frees the memory; what was not flushed is not written. */
  @Override
  public void close() throws ErrnoException {
    try (arena) {
      writer.discard();
    }
  }
}
