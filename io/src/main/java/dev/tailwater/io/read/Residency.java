package dev.tailwater.io.read;

import dev.tailwater.posix.Advice;
import dev.tailwater.posix.CacheStatistics;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.Optional;

/**
 * Which pages of a file lie in the page cache, by cachestat(2) (Linux 6.5 and newer). Remembers
 * when the kernel has no such call. Ranges are in bytes and must not reach beyond the last page.
 */
final class Residency {
  private static final int MAX_RUNS = 256;

  private final FileCalls calls;
  private final int pageBytes;
  private final long[] coldStarts = new long[MAX_RUNS];
  private final long[] coldEnds = new long[MAX_RUNS];
  private int coldRuns;
  private boolean supported = true;
  private boolean told = true;
  private long statCalls;
  private long adviceCalls;

  Residency(FileCalls calls, int pageBytes) {
    this.calls = calls;
    this.pageBytes = pageBytes;
  }

  /** Whether the kernel could say when it was last asked. */
  boolean known() {
    return supported && told;
  }

  /** Whether every page of the range is resident; false where the kernel cannot say. */
  boolean all(int fd, long startBytes, long endBytes) throws ErrnoException {
    return supported && cachedPages(fd, startBytes, endBytes) >= pages(startBytes, endBytes);
  }

  /**
   * Notes which pages of the range are not resident, before a read makes them so: one call for a
   * range that is wholly cold or wholly warm, else halving down to single pages.
   */
  void noteCold(int fd, long startBytes, long endBytes) throws ErrnoException {
    coldRuns = 0;
    if (supported) {
      long from = startBytes - startBytes % pageBytes;
      find(fd, from, from + pages(startBytes, endBytes) * pageBytes);
    }
  }

  private void find(int fd, long startBytes, long endBytes) throws ErrnoException {
    long all = pages(startBytes, endBytes);
    long cached = cachedPages(fd, startBytes, endBytes);
    if (!known() || cached >= all) {
      return;
    }
    if (cached == 0) {
      addRun(startBytes, endBytes);
      return;
    }
    long middle = startBytes + all / 2 * pageBytes;
    find(fd, startBytes, middle);
    find(fd, middle, endBytes);
  }

  private void addRun(long startBytes, long endBytes) {
    if (coldRuns > 0 && coldEnds[coldRuns - 1] == startBytes) {
      coldEnds[coldRuns - 1] = endBytes;
    } else if (coldRuns < MAX_RUNS) {
      coldStarts[coldRuns] = startBytes;
      coldEnds[coldRuns++] = endBytes;
    }
  }

  /** What the kernel reads ahead would look as if it had been there before. */
  void stopReadAhead(int fd) throws ErrnoException {
    if (known()) {
      adviceCalls++;
      calls.fadvise(fd, 0, 0, Advice.RANDOM);
    }
  }

  /** Gives up the pages that were noted; see posix_fadvise(2), POSIX_FADV_DONTNEED. */
  void dropNoted(int fd) throws ErrnoException {
    for (int i = 0; i < coldRuns; i++) {
      adviceCalls++;
      calls.fadvise(fd, coldStarts[i], coldEnds[i] - coldStarts[i], Advice.DONT_NEED);
    }
    coldRuns = 0;
  }

  private long cachedPages(int fd, long startBytes, long endBytes) throws ErrnoException {
    return statistics(fd, startBytes, endBytes).map(CacheStatistics::cachedPages).orElse(0L);
  }

  /** All that cachestat(2) says of a range that is not empty; empty where it does not say. */
  Optional<CacheStatistics> statistics(int fd, long startBytes, long endBytes)
      throws ErrnoException {
    if (!supported) {
      return Optional.empty();
    }
    try {
      statCalls++;
      CacheStatistics said = calls.cachestat(fd, startBytes, endBytes - startBytes);
      told = true;
      return Optional.of(said);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOSYS || e.errno() == Errno.EOPNOTSUPP) {
        supported = false;
        return Optional.empty();
      }
      // Of a file that is not ours and that we may not write, the kernel does not tell; of the next
      // it may. A seccomp filter older than the call refuses so, too.
      if (e.errno() == Errno.EPERM) {
        told = false;
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Pages that the range touches, also in part. */
  long pages(long startBytes, long endBytes) {
    return (endBytes + pageBytes - 1) / pageBytes - startBytes / pageBytes;
  }

  long statCalls() {
    return statCalls;
  }

  long adviceCalls() {
    return adviceCalls;
  }
}
