package dev.tailwater.io.read;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.CacheStatistics;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether pages of a file lie in the page cache, by cachestat(2) (Linux 6.5 and newer). Remembers
 * when the kernel has no such call. Ranges are in bytes, not empty, and must not reach beyond the
 * last page. Thread-safe.
 */
final class Residency {
  private final FileCalls calls;
  private final int pageBytes;
  private final LongAdder statCalls = new LongAdder();
  private volatile boolean supported = true;
  private volatile boolean permitted = true;

  Residency(FileCalls calls, int pageBytes) {
    this.calls = calls;
    this.pageBytes = pageBytes;
  }

  /** Whether the kernel could say when it was last asked. */
  boolean known() {
    return supported && permitted;
  }

  /** Whether every page of the range is resident; false where the kernel cannot say. */
  boolean all(int fd, long startBytes, long endBytes) throws ErrnoException {
    return cachedPages(fd, startBytes, endBytes) >= pages(startBytes, endBytes);
  }

  /** How many pages are resident; 0 where the kernel cannot say. */
  long cachedPages(int fd, long startBytes, long endBytes) throws ErrnoException {
    return statistics(fd, startBytes, endBytes).map(CacheStatistics::cachedPages).orElse(0L);
  }

  /** All that cachestat(2) says; empty where it does not say. */
  Optional<CacheStatistics> statistics(int fd, long startBytes, long endBytes)
      throws ErrnoException {
    if (!supported) {
      return Optional.empty();
    }
    try {
      statCalls.increment();
      CacheStatistics statistics = calls.cachestat(fd, startBytes, endBytes - startBytes);
      permitted = true;
      return Optional.of(statistics);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOSYS || e.errno() == Errno.EOPNOTSUPP) {
        supported = false;
        return Optional.empty();
      }
      // Of a file that is not ours and that we may not write, the kernel does not tell; of the next
      // it may. A seccomp filter older than the call refuses so, too.
      if (e.errno() == Errno.EPERM) {
        permitted = false;
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Pages that the range touches, also in part. */
  long pages(long startBytes, long endBytes) {
    return (endBytes + pageBytes - 1) / pageBytes - startBytes / pageBytes;
  }

  int pageBytes() {
    return pageBytes;
  }

  long statCalls() {
    return statCalls.sum();
  }
}
