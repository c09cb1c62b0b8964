package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.binding.Failure;
import dev.tailwater.posix.binding.ReadBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.posix.value.ReadFlag;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/** The implementation of {@link ReadCalls} for Linux. */
final class LinuxReadCalls implements ReadCalls {
  private static final int RWF_NOWAIT = 0x08;
  private static final int RWF_DONTCACHE = 0x80;

  /**
   * The offset of struct cachestat, behind struct cachestat_range (offset, length) in the scratch
   * memory.
   */
  private static final long CACHESTAT_OFFSET = 16;

  private final ScratchPool scratches;

  LinuxReadCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public int pread(int fd, MemorySegment target, long offsetBytes) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = ReadBindings.pread(scratch.errno(), fd, target, target.byteSize(), offsetBytes);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("pread", fd);
      }
      return (int) bytes;
    }
  }

  @Override
  public int preadCritical(int fd, byte[] target, int from, int lengthBytes, long offsetBytes)
      throws ErrnoException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    if (lengthBytes > MAX_CRITICAL_BYTES) {
      throw new IllegalArgumentException(
          "a critical read of " + lengthBytes + " bytes; at most " + MAX_CRITICAL_BYTES);
    }
    MemorySegment slice = MemorySegment.ofArray(target).asSlice(from, lengthBytes);
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = ReadBindings.preadCritical(scratch.errno(), fd, slice, lengthBytes, offsetBytes);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("pread", fd);
      }
      return (int) bytes;
    }
  }

  @Override
  public int preadv2(int fd, MemorySegment target, long offsetBytes, Set<ReadFlag> flags)
      throws ErrnoException {
    int bits =
        (flags.contains(ReadFlag.NO_WAIT) ? RWF_NOWAIT : 0)
            | (flags.contains(ReadFlag.DONT_CACHE) ? RWF_DONTCACHE : 0);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment vector = scratch.struct();
      vector.set(ADDRESS, 0, target);
      vector.set(JAVA_LONG, 8, target.byteSize());
      long bytes;
      do {
        bytes = ReadBindings.preadv2(scratch.errno(), fd, vector, offsetBytes, bits, target);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("preadv2", fd);
      }
      return (int) bytes;
    }
  }

  @Override
  public void fadvise(int fd, long offsetBytes, long lengthBytes, Advice advice)
      throws ErrnoException {
    int number =
        switch (advice) {
          case NORMAL -> 0;
          case RANDOM -> 1;
          case SEQUENTIAL -> 2;
          case WILL_NEED -> 3;
          case DONT_NEED -> 4;
          case NO_REUSE -> 5;
        };
    try (Scratch scratch = scratches.acquire()) {
      int errnoNumber =
          ReadBindings.posixFadvise(scratch.errno(), fd, offsetBytes, lengthBytes, number);
      if (errnoNumber < 0) { // the C library does not have this function
        throw scratch.failure("fadvise", fd);
      }
      if (errnoNumber > 0) {
        throw Failure.of("fadvise", "fd " + fd, errnoNumber);
      }
    }
  }

  @Override
  public CacheStatistics cachestat(int fd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment range = scratch.struct();
      range.set(JAVA_LONG, 0, offsetBytes);
      range.set(JAVA_LONG, 8, lengthBytes);
      MemorySegment target = range.asSlice(CACHESTAT_OFFSET);
      if (ReadBindings.cachestat(scratch.errno(), fd, range, target) < 0) {
        throw scratch.failure("cachestat", fd);
      }
      return new CacheStatistics(
          target.get(JAVA_LONG, 0),
          target.get(JAVA_LONG, 8),
          target.get(JAVA_LONG, 16),
          target.get(JAVA_LONG, 24));
    }
  }
}
