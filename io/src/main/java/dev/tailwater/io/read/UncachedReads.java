package dev.tailwater.io.read;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.ReadFlag;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * Reads of data that is not resident, which leave the page cache as it was: with RWF_DONTCACHE
 * (preadv2(2), Linux 6.14) if the file system supports it, else with POSIX_FADV_DONTNEED on only
 * the pages that were not resident before. Not thread-safe.
 */
final class UncachedReads {
  private static final Set<ReadFlag> DONT_CACHE = EnumSet.of(ReadFlag.DONT_CACHE);

  private final FileCalls calls;
  private final Residency residency;
  private final ColdRuns cold;
  private long adviceCalls;

  UncachedReads(FileCalls calls, Residency residency) {
    this.calls = calls;
    this.residency = residency;
    this.cold = new ColdRuns(calls, residency);
  }

  /**
   * Prepares for several consecutive reads. Switches read-ahead off, since pages that the kernel
   * reads ahead would look as if they had been resident before.
   */
  void prepare(MountFacts mount, int fd) throws ErrnoException {
    if (!mount.dropsBehind) {
      stopReadAhead(fd);
    }
  }

  /**
   * Makes one read by an ordinary call.
   *
   * @return bytes read, which may be fewer than fit; 0 at the end
   * @throws ErrnoException as pread(2)
   */
  int read(MountFacts mount, int fd, MemorySegment target, long offsetBytes) throws ErrnoException {
    if (mount.dropsBehind) {
      try {
        return calls.preadv2(fd, target, offsetBytes, DONT_CACHE);
      } catch (ErrnoException e) {
        if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS) {
          throw e;
        }
        mount.dropsBehind = false;
        stopReadAhead(fd);
      }
    }
    cold.note(fd, offsetBytes, offsetBytes + target.byteSize());
    int count = calls.pread(fd, target, offsetBytes);
    adviceCalls += cold.drop(fd);
    return count;
  }

  private void stopReadAhead(int fd) throws ErrnoException {
    if (residency.known()) {
      adviceCalls++;
      FileAdvice.give(calls, fd, 0, 0, Advice.RANDOM);
    }
  }

  /** Returns the number of fadvise calls so far. */
  long adviceCalls() {
    return adviceCalls;
  }
}
