package dev.tailwater.io.read;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.MapAdvice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Loads the pages of a mapping before Java code touches them, in granules of 1 MiB, and remembers
 * the loaded ones. A page fault in Java code waits for the disk in a place where no safepoint can
 * be reached; MADV_POPULATE_READ waits in native code, avoids the faults, and returns an errno
 * instead of raising a signal. A page that is evicted again causes a page fault after all: one read
 * of the local disk, of at most its read-ahead.
 */
final class PageLoader {
  private static final int GRANULE_BYTES = 1 << 20;

  /** Bounds the time for which a call holds the lock of the address space. */
  private static final int GRANULES_PER_CALL = 16;

  private final OpenFile file;
  private final MemorySegment mapping;
  private final long offsetBytes;
  private final AtomicLongArray done;

  /**
   * @param offsetBytes of the mapping in the file
   */
  PageLoader(OpenFile file, MemorySegment mapping, long offsetBytes) {
    this.file = file;
    this.mapping = mapping;
    this.offsetBytes = offsetBytes;
    this.done = new AtomicLongArray((int) (mapping.byteSize() / GRANULE_BYTES / Long.SIZE) + 1);
  }

  /**
   * Loads the pages of a part that were not loaded before.
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
      load(granule * GRANULE_BYTES, Math.min(mapping.byteSize(), end * GRANULE_BYTES));
      for (long i = granule; i < end; i++) {
        setDone(i);
      }
      granule = end;
    }
  }

  private void load(long startBytes, long endBytes) throws IOException {
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

  /** Loads pages into the page cache by reading; later faults only fill the page tables. */
  private void readThrough(long startBytes, long endBytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(GRANULE_BYTES, endBytes - startBytes));
      long at = startBytes;
      while (at < endBytes) {
        int count = file.calls().pread(file.fd(), buffer, offsetBytes + at);
        if (count <= 0) {
          return; // truncated: the access will report it
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
