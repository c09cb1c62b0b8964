package dev.tailwater.posix.linux;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.MapCalls;
import dev.tailwater.posix.binding.MapBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.value.MapAdvice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The implementation of {@link MapCalls} for Linux. */
final class LinuxMapCalls implements MapCalls {
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;

  private static final int SMALLEST_PAGE_BYTES = 4096;

  private final ScratchPool scratches;

  LinuxMapCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  @SuppressWarnings("restricted") // the length that was mapped is the length of the segment
  public MemorySegment map(int fd, long offsetBytes, long lengthBytes, Arena arena)
      throws ErrnoException {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException("the arena for a mapping is closed");
    }
    long address;
    try (Scratch scratch = scratches.acquire()) {
      address =
          MapBindings.mmap(scratch.errno(), lengthBytes, PROT_READ, MAP_SHARED, fd, offsetBytes);
      if (address == -1) {
        throw scratch.failure("mmap", fd);
      }
    }
    try {
      return MemorySegment.ofAddress(address)
          .reinterpret(lengthBytes, arena, mapping -> unmap(mapping.address(), lengthBytes))
          .asReadOnly();
    } catch (IllegalStateException | WrongThreadException e) {
      unmap(address, lengthBytes); // the arena was closed, or belongs to another thread
      throw e;
    }
  }

  /** Unmaps a mapping. Fails only if there is no such mapping; that memory is then lost. */
  private void unmap(long address, long lengthBytes) {
    try (Scratch scratch = scratches.acquire()) {
      if (MapBindings.munmap(scratch.errno(), address, lengthBytes) < 0) {
        throw new IllegalStateException(
            scratch.failure("munmap", lengthBytes + " bytes at " + Long.toHexString(address)));
      }
    }
  }

  @Override
  public void madvise(MemorySegment mapping, MapAdvice advice) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = MapBindings.madvise(scratch.errno(), mapping, advice.number());
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("madvise", subject(mapping));
      }
    }
  }

  @Override
  public void mincore(MemorySegment mapping, MemorySegment target) throws ErrnoException {
    long pages = (mapping.byteSize() + SMALLEST_PAGE_BYTES - 1) / SMALLEST_PAGE_BYTES;
    if (target.byteSize() < pages) {
      throw new IllegalArgumentException(
          "mincore of " + pages + " pages into " + target.byteSize() + " bytes");
    }
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = MapBindings.mincore(scratch.errno(), mapping, target);
      } while (result < 0 && scratch.failedWith(Errno.EAGAIN));
      if (result < 0) {
        throw scratch.failure("mincore", subject(mapping));
      }
    }
  }

  private static String subject(MemorySegment mapping) {
    return mapping.byteSize() + " bytes of a mapping";
  }
}
