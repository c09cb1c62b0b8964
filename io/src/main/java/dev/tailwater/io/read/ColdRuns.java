package dev.tailwater.io.read;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;

/**
 * The pages of one read that were not resident before it, so that just those are given up after it.
 * Allocates nothing after construction; not thread-safe.
 */
final class ColdRuns {
  private static final int MAX_RUNS = 256;

  private final FileCalls calls;
  private final Residency residency;
  private final int pageBytes;
  private final long[] starts = new long[MAX_RUNS];
  private final long[] ends = new long[MAX_RUNS];
  private int runs;

  ColdRuns(FileCalls calls, Residency residency) {
    this.calls = calls;
    this.residency = residency;
    this.pageBytes = residency.pageBytes();
  }

  /**
   * Notes which pages of a range are not resident, before a read makes them so: one call for a
   * range that is wholly cold or wholly warm, else halving down to single pages. Nothing where the
   * kernel cannot say.
   */
  void note(int fd, long startBytes, long endBytes) throws ErrnoException {
    runs = 0;
    long from = startBytes - startBytes % pageBytes;
    find(fd, from, from + residency.pages(startBytes, endBytes) * pageBytes);
  }

  private void find(int fd, long startBytes, long endBytes) throws ErrnoException {
    long all = residency.pages(startBytes, endBytes);
    long cached = residency.cachedPages(fd, startBytes, endBytes);
    if (!residency.known() || cached >= all) {
      return;
    }
    if (cached == 0) {
      add(startBytes, endBytes);
      return;
    }
    long middle = startBytes + all / 2 * pageBytes;
    find(fd, startBytes, middle);
    find(fd, middle, endBytes);
  }

  private void add(long startBytes, long endBytes) {
    if (runs > 0 && ends[runs - 1] == startBytes) {
      ends[runs - 1] = endBytes;
    } else if (runs < MAX_RUNS) {
      starts[runs] = startBytes;
      ends[runs++] = endBytes;
    }
  }

  /**
   * Gives up the pages that were noted; see posix_fadvise(2), POSIX_FADV_DONTNEED.
   *
   * @return how many calls that took
   */
  int drop(int fd) throws ErrnoException {
    int dropped = runs;
    for (int i = 0; i < dropped; i++) {
      FileAdvice.give(calls, fd, starts[i], ends[i] - starts[i], Advice.DONT_NEED);
    }
    runs = 0;
    return dropped;
  }
}
