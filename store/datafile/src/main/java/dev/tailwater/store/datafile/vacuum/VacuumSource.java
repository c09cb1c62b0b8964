package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.ReadFlag;
import dev.tailwater.store.StoreReadException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.SealedFileReader;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * A source that reads a data file sequentially, at the vacuum's rate, by a descriptor of its own,
 * so that the advice on the readers' descriptor stays. Pages that were not in the page cache are
 * not kept there (RWF_DONTCACHE) if the kernel supports it; otherwise they are dropped when the
 * file is deleted.
 */
final class VacuumSource implements SealedFileReader.Source, AutoCloseable {
  private static final Set<ReadFlag> DONT_CACHE = EnumSet.of(ReadFlag.DONT_CACHE);

  private final FileCalls calls;
  private final DataFile file;
  private final RateLimiter limiter;
  private final int fd;
  private boolean dropsBehind = true;

  VacuumSource(StoreDirectory directory, DataFile file, RateLimiter limiter) throws ErrnoException {
    this.calls = directory.calls();
    this.file = file;
    this.limiter = limiter;
    this.fd = directory.openToRead(file.header().name().path());
    try {
      FileAdvice.give(calls, fd, 0, 0, Advice.SEQUENTIAL);
    } catch (ErrnoException failed) {
      calls.close(fd);
      throw failed;
    }
  }

  @Override
  public int read(MemorySegment target, long offsetBytes) throws IOException {
    limiter.spend(target.byteSize());
    try {
      int done = dropsBehind ? readUncached(target, offsetBytes) : 0;
      return done + Transfers.readFully(calls, fd, target.asSlice(done), offsetBytes + done);
    } catch (ErrnoException failed) {
      throw new StoreReadException(file.path(), offsetBytes, failed);
    }
  }

  private int readUncached(MemorySegment target, long offsetBytes) throws ErrnoException {
    try {
      return calls.preadv2(fd, target, offsetBytes, DONT_CACHE);
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.EOPNOTSUPP && failed.errno() != Errno.ENOSYS) {
        throw failed;
      }
      dropsBehind = false;
      return 0;
    }
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
