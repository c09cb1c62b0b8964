package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.ReadCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C functions of {@link ReadCalls}, one binding and one typed method each. Results are as in C:
 * -1 and errno in the first argument's segment. Nothing is retried or translated here. Linked at
 * the first use of one of them.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class ReadBindings {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle PREAD =
      BINDER.ordinary("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle PREAD_CRITICAL =
      BINDER.critical("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);

  /**
   * The last argument is one more than C has, in a register that it does not read: the linker keeps
   * the memory of segments that are arguments alive, and knows nothing of addresses inside them.
   */
  private static final MethodHandle PREADV2 =
      BINDER.ordinary(
          "preadv2", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS);

  private static final MethodHandle POSIX_FADVISE =
      BINDER.ordinary("posix_fadvise", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** For what C libraries of our age have no wrapper for. */
  private static final MethodHandle SYSCALL_4 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);

  private static final long SYS_CACHESTAT = 451;

  private ReadBindings() {}

  public static long pread(
      MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) PREAD.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** As pread, into a heap segment, without a safepoint while it runs. */
  public static long preadCritical(
      MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) PREAD_CRITICAL.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** One vector, which points to the target. */
  public static long preadv2(
      MemorySegment errno,
      int fd,
      MemorySegment vector,
      long offset,
      int flags,
      MemorySegment target) {
    try {
      return (long) PREADV2.invokeExact(errno, fd, vector, 1, offset, flags, target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns an errno, and leaves the errno segment alone. */
  public static int posixFadvise(MemorySegment errno, int fd, long offset, long bytes, int advice) {
    try {
      return (int) POSIX_FADVISE.invokeExact(errno, fd, offset, bytes, advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int cachestat(
      MemorySegment errno, int fd, MemorySegment range, MemorySegment target) {
    try {
      return (int) (long) SYSCALL_4.invokeExact(errno, SYS_CACHESTAT, (long) fd, range, target, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
