package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Calls that read bytes, and calls about the page cache that the bytes lie in. */
public interface ReadCalls {
  /** Reads into native memory; an ordinary downcall that may block. Returns 0 at the end. */
  int pread(int fd, MemorySegment target, long offsetBytes) throws ErrnoException;

  /**
   * Reads straight into a heap array by a <em>critical</em> downcall: no garbage collection can
   * happen while it runs. Only for data that is resident, on a local file system, at most {@value
   * #MAX_CRITICAL_BYTES} bytes.
   */
  int preadCritical(int fd, byte[] target, int from, int lengthBytes, long offsetBytes)
      throws ErrnoException;

  int MAX_CRITICAL_BYTES = 256 * 1024;

  /** As {@link #pread} with flags of preadv2(2). */
  int preadv2(int fd, MemorySegment target, long offsetBytes, Set<ReadFlag> flags)
      throws ErrnoException;

  void fadvise(int fd, long offsetBytes, long lengthBytes, Advice advice) throws ErrnoException;

  CacheStatistics cachestat(int fd, long offsetBytes, long lengthBytes) throws ErrnoException;
}
