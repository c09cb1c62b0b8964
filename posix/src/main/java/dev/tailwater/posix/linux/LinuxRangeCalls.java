package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.RangeCalls;
import dev.tailwater.posix.binding.RangeBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** The implementation of {@link RangeCalls} for Linux. */
final class LinuxRangeCalls implements RangeCalls {
  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;

  private final ScratchPool scratches;

  LinuxRangeCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public OptionalLong seekData(int fd, long offsetBytes) throws ErrnoException {
    return seek(fd, offsetBytes, SEEK_DATA);
  }

  @Override
  public OptionalLong seekHole(int fd, long offsetBytes) throws ErrnoException {
    return seek(fd, offsetBytes, SEEK_HOLE);
  }

  private OptionalLong seek(int fd, long offsetBytes, int whence) throws ErrnoException {
    if (offsetBytes < 0) {
      throw new IllegalArgumentException("offset must not be negative: " + offsetBytes);
    }
    try (Scratch scratch = scratches.acquire()) {
      long found;
      do {
        found = RangeBindings.lseek(scratch.errno(), fd, offsetBytes, whence);
      } while (found < 0 && scratch.interrupted());
      if (found < 0 && scratch.failedWith(Errno.ENXIO)) {
        return OptionalLong.empty();
      }
      if (found < 0) {
        throw scratch.failure("lseek", fd);
      }
      return OptionalLong.of(found);
    }
  }

  @Override
  public long copyFileRange(
      int fromFd, long fromOffsetBytes, int toFd, long toOffsetBytes, long lengthBytes)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment fromOffset = scratch.struct();
      MemorySegment toOffset = fromOffset.asSlice(Long.BYTES);
      long bytes;
      do {
        fromOffset.set(JAVA_LONG, 0, fromOffsetBytes);
        toOffset.set(JAVA_LONG, 0, toOffsetBytes);
        bytes =
            RangeBindings.copyFileRange(
                scratch.errno(), fromFd, fromOffset, toFd, toOffset, lengthBytes);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("copy_file_range", "fd " + fromFd + " -> fd " + toFd);
      }
      return bytes;
    }
  }
}
