package dev.tailwater.store.datafile.file;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A data file as mapped memory, in chunks. Whole chunks are mapped, even beyond the end of the
 * file: nothing behind {@link DataFile#writtenBytes} is ever read, and this program never truncates
 * a file below that. Reading is thread-safe; one thread at a time adds chunks. Closed when nobody
 * reads any more.
 */
public final class FileMapping implements AutoCloseable {
  private final FileCalls calls;
  private final int fd;
  private final int pageBytes;
  private final Arena arena = Arena.ofShared();
  private volatile @Nullable MappedChunk[] chunks = {};
  private volatile boolean givenUp;

  public FileMapping(FileCalls calls, int fd, int pageBytes) {
    this.calls = calls;
    this.fd = fd;
    this.pageBytes = pageBytes;
  }

  /**
   * Copies a range if all of it is known to be resident; otherwise touches nothing and returns
   * false.
   *
   * @param lengthBytes all of it is written to the file
   */
  public boolean copy(long offsetBytes, int lengthBytes, MemorySegment target) {
    MappedChunk chunk = resident(offsetBytes, lengthBytes);
    if (chunk == null) {
      return false;
    }
    MemorySegment.copy(chunk.memory(), inChunk(offsetBytes), target, 0, lengthBytes);
    return true;
  }

  /** Returns the chunk of this range if all of the range is known to be resident; else null. */
  public @Nullable MappedChunk resident(long offsetBytes, int lengthBytes) {
    MappedChunk chunk = at(offsetBytes);
    return chunk != null && chunk.isResident(inChunk(offsetBytes), lengthBytes) ? chunk : null;
  }

  /** Returns the position of this offset in its chunk. */
  public static int inChunk(long offsetBytes) {
    return (int) offsetBytes & (MappedChunk.BYTES - 1);
  }

  /** Returns the chunk of this offset; null when it is not mapped. */
  @Nullable MappedChunk at(long offsetBytes) {
    @Nullable MappedChunk[] now = chunks;
    int index = (int) (offsetBytes >>> MappedChunk.SHIFT);
    return index < now.length ? now[index] : null;
  }

  /** Marks a range as resident that was just read through the page cache. */
  public void markResident(long offsetBytes, int lengthBytes) {
    MappedChunk chunk = at(offsetBytes);
    if (chunk != null) {
      chunk.markResident(inChunk(offsetBytes), lengthBytes);
    }
  }

  /** Forgets what is known of the chunk of this offset, because reads there were slow. */
  public void forget(long offsetBytes) {
    MappedChunk chunk = at(offsetBytes);
    if (chunk != null) {
      chunk.forget();
    }
  }

  /** Maps the chunks up to this offset that are not mapped yet. */
  public synchronized @Nullable MappedChunk[] mapUpTo(long endBytes) throws ErrnoException {
    int count = (int) ((endBytes + MappedChunk.BYTES - 1) / MappedChunk.BYTES);
    int mapped = chunks.length;
    if (!givenUp && count > mapped) {
      @Nullable MappedChunk[] more = Arrays.copyOf(chunks, count);
      for (int i = mapped; i < count; i++) {
        MemorySegment memory =
            calls.map(fd, (long) i * MappedChunk.BYTES, MappedChunk.BYTES, arena);
        more[i] = new MappedChunk(memory, pageBytes);
      }
      chunks = more;
    }
    return chunks;
  }

  /** Stops reads from the mapped memory for good. */
  public synchronized void giveUp() {
    givenUp = true;
    chunks = new MappedChunk[0];
  }

  public boolean isGivenUp() {
    return givenUp;
  }

  public long residentBytes() {
    long pages = 0;
    for (MappedChunk chunk : chunks) {
      pages += chunk == null ? 0 : chunk.residentPages();
    }
    return pages * pageBytes;
  }

  @Override
  public void close() {
    chunks = new MappedChunk[0];
    arena.close();
  }
}
