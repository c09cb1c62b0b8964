package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.WriteCalls;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.binding.TimesLayout;
import dev.tailwater.posix.binding.WriteBindings;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The implementation of {@link WriteCalls} for Linux. */
final class LinuxWriteCalls implements WriteCalls {
  private static final int RWF_DSYNC = 0x02;
  private static final int RWF_DONTCACHE = 0x80;
  private static final int FALLOC_FL_KEEP_SIZE = 0x01;
  private static final int FALLOC_FL_PUNCH_HOLE = 0x02;
  private static final int FALLOC_FL_ZERO_RANGE = 0x10;

  private final ScratchPool scratches;

  LinuxWriteCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = WriteBindings.pwrite(scratch.errno(), fd, source, source.byteSize(), offsetBytes);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("pwrite", fd);
      }
      return (int) bytes;
    }
  }

  @Override
  public int pwritev2(int fd, MemorySegment source, long offsetBytes, Set<WriteFlag> flags)
      throws ErrnoException {
    int bits =
        (flags.contains(WriteFlag.DATA_SYNC) ? RWF_DSYNC : 0)
            | (flags.contains(WriteFlag.DONT_CACHE) ? RWF_DONTCACHE : 0);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment vector = scratch.struct();
      vector.set(ADDRESS, 0, source);
      vector.set(JAVA_LONG, 8, source.byteSize());
      long bytes;
      do {
        bytes = WriteBindings.pwritev2(scratch.errno(), fd, vector, offsetBytes, bits, source);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("pwritev2", fd);
      }
      return (int) bytes;
    }
  }

  @Override
  public void fsync(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.fsync(scratch.errno(), fd);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fsync", fd);
      }
    }
  }

  @Override
  public void fdatasync(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.fdatasync(scratch.errno(), fd);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fdatasync", fd);
      }
    }
  }

  @Override
  public void syncFileSystem(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.syncfs(scratch.errno(), fd);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("syncfs", fd);
      }
    }
  }

  @Override
  public void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    int bits = 0;
    for (AllocateFlag flag : flags) {
      bits |=
          switch (flag) {
            case KEEP_SIZE -> FALLOC_FL_KEEP_SIZE;
            case PUNCH_HOLE -> FALLOC_FL_PUNCH_HOLE;
            case ZERO_RANGE -> FALLOC_FL_ZERO_RANGE;
          };
    }
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.fallocate(scratch.errno(), fd, bits, offsetBytes, lengthBytes);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fallocate", fd);
      }
    }
  }

  @Override
  public void truncate(int fd, long sizeBytes) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.ftruncate(scratch.errno(), fd, sizeBytes);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("truncate", fd);
      }
    }
  }

  @Override
  public void changeMode(int fd, int mode) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.fchmod(scratch.errno(), fd, mode);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("chmod", fd);
      }
    }
  }

  @Override
  public void changeReferencedMode(int fd, int mode) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment self = scratch.path(PosixPath.of("/proc/self/fd/" + fd));
      int result;
      do {
        result = WriteBindings.fchmodat(scratch.errno(), NameCalls.AT_FDCWD, self, mode, 0);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        ErrnoException failure = scratch.failure("chmod", fd);
        throw failure.errno() == Errno.ENOENT
            ? ErrnoException.of("chmod", "fd " + fd, Errno.EBADF)
            : failure;
      }
    }
  }

  @Override
  public void changeOwner(int fd, long userId, long groupId) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = WriteBindings.fchown(scratch.errno(), fd, (int) userId, (int) groupId);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("chown", fd);
      }
    }
  }

  @Override
  public void changeModificationTime(int fd, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment times = TimesLayout.write(scratch.struct(), secondsSinceEpoch, nanos);
      int result;
      do {
        result = WriteBindings.futimens(scratch.errno(), fd, times);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("utimens", fd);
      }
    }
  }
}
