package dev.tailwater.store.datafile.file;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A data file as mapped memory, in chunks. Maps whole chunks, also where the file ends before:
 * nothing behind {@link DataFile#writtenBytes} is ever touched, and nobody of this program makes a
 * file shorter than that. Reading is thread-safe; one thread at a time adds chunks. Closed when
 * nobody reads any more.
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
   * Copies a range out of the memory if all of it is known to be there; otherwise touches nothing.
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

  /** The chunk that this range lies in, if all of the range is known to be in memory; else null. */
  public @Nullable MappedChunk resident(long offsetBytes, int lengthBytes) {
    MappedChunk chunk = at(offsetBytes);
    return chunk != null && chunk.isResident(inChunk(offsetBytes), lengthBytes) ? chunk : null;
  }

  /** Where in its chunk this offset lies. */
  public static int inChunk(long offsetBytes) {
    return (int) offsetBytes & (MappedChunk.BYTES - 1);
  }

  /** The chunk that this offset lies in; null when that is not mapped. */
  @Nullable MappedChunk at(long offsetBytes) {
    @Nullable MappedChunk[] now = chunks;
    int index = (int) (offsetBytes >>> MappedChunk.SHIFT);
    return index < now.length ? now[index] : null;
  }

  /** Somebody has just read this range through the page cache. */
  public void markResident(long offsetBytes, int lengthBytes) {
    MappedChunk chunk = at(offsetBytes);
    if (chunk != null) {
      chunk.markResident(inChunk(offsetBytes), lengthBytes);
    }
  }

  /** Reads of what lies around this offset took long: it may not be in memory any more. */
  public void forget(long offsetBytes) {
    MappedChunk chunk = at(offsetBytes);
    if (chunk != null) {
      chunk.forget();
    }
  }

  /** Maps what is not mapped yet of so many bytes. */
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

  /** From now on nothing is read from the memory any more. */
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
