package dev.tailwater.io.read;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.MapAdvice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Brings the pages of a mapping in before Java code touches them, a granule of 1 MiB at a time, and
 * remembers which it has. A page fault in Java code waits for the disk where no safepoint can be
 * reached; MADV_POPULATE_READ waits in native code, spares the faults, and says by an errno what
 * would be a signal. A page that is evicted again afterwards is a page fault after all: one read of
 * the local disk, of at most its read-ahead.
 */
final class Populated {
  private static final int GRANULE_BYTES = 1 << 20;

  /** The lock of the address space is held while a call works: not for too much at once. */
  private static final int GRANULES_PER_CALL = 16;

  private final OpenFile file;
  private final MemorySegment mapping;
  private final long offsetBytes;
  private final AtomicLongArray done;

  /**
   * @param offsetBytes of the mapping in the file
   */
  Populated(OpenFile file, MemorySegment mapping, long offsetBytes) {
    this.file = file;
    this.mapping = mapping;
    this.offsetBytes = offsetBytes;
    this.done = new AtomicLongArray((int) (mapping.byteSize() / GRANULE_BYTES / Long.SIZE) + 1);
  }

  /**
   * Brings in what of a part was not brought in before.
   *
   * @throws ErrnoException EFAULT when a page has no file behind it or cannot be read
   */
  void ensure(long fromBytes, long lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return;
    }
    long last = (fromBytes + lengthBytes - 1) / GRANULE_BYTES;
    long granule = fromBytes / GRANULE_BYTES;
    while (granule <= last) {
      if (isDone(granule)) {
        granule++;
        continue;
      }
      long end = granule + 1;
      while (end <= last && end - granule < GRANULES_PER_CALL && !isDone(end)) {
        end++;
      }
      bringIn(granule * GRANULE_BYTES, Math.min(mapping.byteSize(), end * GRANULE_BYTES));
      for (long i = granule; i < end; i++) {
        setDone(i);
      }
      granule = end;
    }
  }

  private void bringIn(long startBytes, long endBytes) throws IOException {
    MemorySegment part = mapping.asSlice(startBytes, endBytes - startBytes);
    try {
      file.calls().madvise(part, MapAdvice.POPULATE_READ);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
      readThrough(startBytes, endBytes); // before Linux 5.14
    }
  }

  /** Into the page cache by reading; the page tables are left to faults that do not wait. */
  private void readThrough(long startBytes, long endBytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(GRANULE_BYTES, endBytes - startBytes));
      long at = startBytes;
      while (at < endBytes) {
        int count = file.calls().pread(file.fd(), buffer, offsetBytes + at);
        if (count <= 0) {
          return; // cut off: whoever uses it will see
        }
        at += count;
      }
    }
  }

  private boolean isDone(long granule) {
    return (done.get((int) (granule / Long.SIZE)) & 1L << granule) != 0;
  }

  private void setDone(long granule) {
    done.getAndUpdate((int) (granule / Long.SIZE), bits -> bits | 1L << granule);
  }
}
