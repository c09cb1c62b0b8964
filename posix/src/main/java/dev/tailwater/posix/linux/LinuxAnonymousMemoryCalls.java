package dev.tailwater.posix.linux;

import dev.tailwater.posix.AnonymousMemoryCalls;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.binding.AnonymousMemoryBindings;
import dev.tailwater.posix.binding.Failure;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The implementation of {@link AnonymousMemoryCalls} for Linux. Thread-safe, for platform and
 * virtual threads.
 *
 * <p>The JVM needs {@code --enable-native-access}; otherwise it prints a warning.
 */
public final class LinuxAnonymousMemoryCalls implements AnonymousMemoryCalls {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MADV_HUGEPAGE = 14;

  private final ScratchPool scratches = new ScratchPool();

  private LinuxAnonymousMemoryCalls() {}

  /**
   * Creates the memory calls for this machine.
   *
   * @throws IllegalStateException on any system other than Linux on x86-64 or aarch64
   */
  public static AnonymousMemoryCalls create() {
    Platform.current();
    return new LinuxAnonymousMemoryCalls();
  }

  @Override
  @SuppressWarnings("restricted") // the length that was mapped is the length of the segment
  public MemorySegment mapAnonymous(long lengthBytes) throws ErrnoException {
    if (lengthBytes <= 0) {
      throw Failure.of("mmap", lengthBytes + " bytes", Errno.EINVAL.number());
    }
    try (Scratch scratch = scratches.acquire()) {
      long address =
          AnonymousMemoryBindings.mmap(
              scratch.errno(), lengthBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS);
      if (address == -1) {
        throw scratch.failure("mmap", lengthBytes + " bytes");
      }
      return MemorySegment.ofAddress(address).reinterpret(lengthBytes);
    }
  }

  @Override
  public void unmap(MemorySegment memory) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (AnonymousMemoryBindings.munmap(scratch.errno(), memory.address(), memory.byteSize())
          < 0) {
        throw scratch.failure("munmap", memory.byteSize() + " bytes");
      }
    }
  }

  @Override
  public void preferHugePages(MemorySegment memory) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (AnonymousMemoryBindings.madvise(
              scratch.errno(), memory.address(), memory.byteSize(), MADV_HUGEPAGE)
          < 0) {
        throw scratch.failure("madvise", memory.byteSize() + " bytes");
      }
    }
  }

  @Override
  @SuppressWarnings("restricted") // never longer than the memory
  public MemorySegment view(MemorySegment memory, long lengthBytes, Arena arena) {
    Objects.checkFromToIndex(0, lengthBytes, memory.byteSize());
    return MemorySegment.ofAddress(memory.address()).reinterpret(lengthBytes, arena, null);
  }
}
