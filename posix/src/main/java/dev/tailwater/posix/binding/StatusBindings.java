package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.StatusCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link StatusCalls}, with one typed method for each. Results are
 * as in C: -1, and errno in the segment of the first argument. Nothing is retried or translated
 * here. Each function is linked when it is called first.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class StatusBindings {
  private static final Binder BINDER = new Binder();

  private static final class Statx {
    static final MethodHandle HANDLE =
        BINDER.ordinary("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  }

  private static final class Fstatfs {
    static final MethodHandle HANDLE = BINDER.ordinary("fstatfs", JAVA_INT, JAVA_INT, ADDRESS);
  }

  private static final class Ioctl {
    static final MethodHandle HANDLE =
        BINDER.variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  }

  private static final class Fcntl {
    static final MethodHandle HANDLE =
        BINDER.variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  }

  private static final class Flock {
    static final MethodHandle HANDLE = BINDER.ordinary("flock", JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class Faccessat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("faccessat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  }

  private static final class Geteuid {
    static final MethodHandle HANDLE = BINDER.ordinary("geteuid", JAVA_INT);
  }

  private StatusBindings() {}

  public static int geteuid(MemorySegment errno) {
    try {
      return (int) Geteuid.HANDLE.invokeExact(errno);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int statx(
      MemorySegment errno, int dirFd, MemorySegment path, int flags, int mask, MemorySegment to) {
    try {
      return (int) Statx.HANDLE.invokeExact(errno, dirFd, path, flags, mask, to);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fstatfs(MemorySegment errno, int fd, MemorySegment target) {
    try {
      return (int) Fstatfs.HANDLE.invokeExact(errno, fd, target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioctl(MemorySegment errno, int fd, long request, MemorySegment argument) {
    try {
      return (int) Ioctl.HANDLE.invokeExact(errno, fd, request, argument);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int faccessat(
      MemorySegment errno, int dirFd, MemorySegment path, int mode, int flags) {
    try {
      return (int) Faccessat.HANDLE.invokeExact(errno, dirFd, path, mode, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fcntl(MemorySegment errno, int fd, int command, long argument) {
    try {
      return (int) Fcntl.HANDLE.invokeExact(errno, fd, command, argument);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int flock(MemorySegment errno, int fd, int operation) {
    try {
      return (int) Flock.HANDLE.invokeExact(errno, fd, operation);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
