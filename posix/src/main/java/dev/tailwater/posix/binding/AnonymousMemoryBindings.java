package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.AnonymousMemoryCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link AnonymousMemoryCalls}, with one typed method for each.
 * Results are as in C: -1, and errno in the segment of the first argument. Addresses are plain
 * numbers, because the memory is mapped and unmapped here. The functions are linked at the first
 * use of this class.
 */
public final class AnonymousMemoryBindings {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle MMAP =
      BINDER.ordinary(
          "mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP =
      BINDER.ordinary("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle MADVISE =
      BINDER.ordinary("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  private AnonymousMemoryBindings() {}

  /** Maps memory without a file at an address that the kernel chooses. */
  public static long mmap(MemorySegment errno, long bytes, int protection, int flags) {
    try {
      return (long) MMAP.invokeExact(errno, 0L, bytes, protection, flags, -1, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int munmap(MemorySegment errno, long address, long bytes) {
    try {
      return (int) MUNMAP.invokeExact(errno, address, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int madvise(MemorySegment errno, long address, long bytes, int advice) {
    try {
      return (int) MADVISE.invokeExact(errno, address, bytes, advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
