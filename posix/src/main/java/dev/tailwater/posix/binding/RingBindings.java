package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.RingCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the system calls of {@link RingCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * The functions are linked at the first use of this class.
 *
 * <p>The C library has no functions for io_uring; the numbers of its system calls are the same on
 * both {@linkplain Platform platforms}.
 */
public final class RingBindings {
  private static final Binder BINDER = new Binder();

  private static final long SYS_IO_URING_SETUP = 425;
  private static final long SYS_IO_URING_ENTER = 426;
  private static final long SYS_IO_URING_REGISTER = 427;

  private static final MethodHandle SYSCALL_2 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
  private static final MethodHandle SYSCALL_4 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle SYSCALL_6 =
      BINDER.variadic(
          "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle MMAP =
      BINDER.ordinary("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP =
      BINDER.ordinary("munmap", JAVA_INT, ADDRESS, JAVA_LONG);

  private RingBindings() {}

  public static int setup(MemorySegment errno, int entries, MemorySegment parameters) {
    try {
      return (int)
          (long) SYSCALL_2.invokeExact(errno, SYS_IO_URING_SETUP, (long) entries, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Calls io_uring_enter without a signal mask. */
  public static int enter(
      MemorySegment errno, int fd, int submissions, int minCompletions, int flags) {
    try {
      return (int)
          (long)
              SYSCALL_6.invokeExact(
                  errno,
                  SYS_IO_URING_ENTER,
                  (long) fd,
                  (long) submissions,
                  (long) minCompletions,
                  (long) flags,
                  0L,
                  0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int register(
      MemorySegment errno, int fd, int what, MemorySegment argument, int count) {
    try {
      return (int)
          (long)
              SYSCALL_4.invokeExact(
                  errno, SYS_IO_URING_REGISTER, (long) fd, (long) what, argument, (long) count);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Maps memory where the kernel chooses; returns address -1 on failure. */
  public static MemorySegment mmap(
      MemorySegment errno, long bytes, int protection, int flags, int fd, long offset) {
    try {
      return (MemorySegment)
          MMAP.invokeExact(errno, MemorySegment.NULL, bytes, protection, flags, fd, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int munmap(MemorySegment errno, MemorySegment memory, long bytes) {
    try {
      return (int) MUNMAP.invokeExact(errno, memory, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
