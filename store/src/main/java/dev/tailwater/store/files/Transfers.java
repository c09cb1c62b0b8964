package dev.tailwater.store.files;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.MemorySegment;

/** Reads and writes of whole ranges, by calls that may transfer less than was asked. */
public final class Transfers {
  private Transfers() {}

  /** Writes all of the memory. */
  public static void writeAll(FileCalls calls, int fd, MemorySegment source, long offsetBytes)
      throws ErrnoException {
    long done = 0;
    while (done < source.byteSize()) {
      int written = calls.pwrite(fd, source.asSlice(done), offsetBytes + done);
      if (written <= 0) {
        throw new ErrnoException("pwrite", "fd " + fd, Errno.EIO.number(), "wrote nothing");
      }
      done += written;
    }
  }

  /** Reads until the memory is full or the file ends; returns the number of bytes. */
  public static int readFully(FileCalls calls, int fd, MemorySegment target, long offsetBytes)
      throws ErrnoException {
    int done = 0;
    while (done < target.byteSize()) {
      int read = calls.pread(fd, done == 0 ? target : target.asSlice(done), offsetBytes + done);
      if (read == 0) {
        break;
      }
      done += read;
    }
    return done;
  }
}
