package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.ReadCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link ReadCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * Functions that are called together are linked together, when the first of them is called.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class ReadBindings {
  private static final Binder BINDER = new Binder();

  private static final long SYS_CACHESTAT = 451;

  private static final class Blocks {
    static final MethodHandle PREAD =
        BINDER.ordinary("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static final class Heap {
    static final MethodHandle PREAD_CRITICAL =
        BINDER.critical("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static final class Cache {
    /**
     * Takes one argument more than the C function, in a register that C does not read. It keeps the
     * target alive: the linker keeps only segments alive that are arguments, not those whose
     * addresses are stored in them.
     */
    static final MethodHandle PREADV2 =
        BINDER.ordinary(
            "preadv2", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS);

    static final MethodHandle POSIX_FADVISE =
        BINDER.ordinary("posix_fadvise", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

    /** For system calls that older C libraries have no wrapper for. */
    static final MethodHandle SYSCALL_4 =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
  }

  private ReadBindings() {}

  public static long pread(
      MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) Blocks.PREAD.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Calls pread into a heap segment, without a safepoint during the call. */
  public static long preadCritical(
      MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) Heap.PREAD_CRITICAL.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Calls preadv2 with one vector, which points to the target. */
  public static long preadv2(
      MemorySegment errno,
      int fd,
      MemorySegment vector,
      long offset,
      int flags,
      MemorySegment target) {
    try {
      return (long) Cache.PREADV2.invokeExact(errno, fd, vector, 1, offset, flags, target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns an errno, and does not use the errno segment. */
  public static int posixFadvise(MemorySegment errno, int fd, long offset, long bytes, int advice) {
    try {
      return (int) Cache.POSIX_FADVISE.invokeExact(errno, fd, offset, bytes, advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int cachestat(
      MemorySegment errno, int fd, MemorySegment range, MemorySegment target) {
    try {
      return (int)
          (long) Cache.SYSCALL_4.invokeExact(errno, SYS_CACHESTAT, (long) fd, range, target, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
