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
 * here. Functions that are called together are linked together, when the first of them is called.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class StatusBindings {
  private static final Binder BINDER = new Binder();

  private static final class Status {
    static final MethodHandle STATX =
        BINDER.ordinary("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  }

  private static final class FileSystem {
    static final MethodHandle FSTATFS = BINDER.ordinary("fstatfs", JAVA_INT, JAVA_INT, ADDRESS);
  }

  private static final class Control {
    static final MethodHandle IOCTL =
        BINDER.variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  }

  private static final class Locks {
    static final MethodHandle FCNTL =
        BINDER.variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    static final MethodHandle FLOCK = BINDER.ordinary("flock", JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class Access {
    static final MethodHandle FACCESSAT =
        BINDER.ordinary("faccessat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle GETEUID = BINDER.ordinary("geteuid", JAVA_INT);
  }

  private StatusBindings() {}

  public static int geteuid(MemorySegment errno) {
    try {
      return (int) Access.GETEUID.invokeExact(errno);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int statx(
      MemorySegment errno, int dirFd, MemorySegment path, int flags, int mask, MemorySegment to) {
    try {
      return (int) Status.STATX.invokeExact(errno, dirFd, path, flags, mask, to);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fstatfs(MemorySegment errno, int fd, MemorySegment target) {
    try {
      return (int) FileSystem.FSTATFS.invokeExact(errno, fd, target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioctl(MemorySegment errno, int fd, long request, MemorySegment argument) {
    try {
      return (int) Control.IOCTL.invokeExact(errno, fd, request, argument);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int faccessat(
      MemorySegment errno, int dirFd, MemorySegment path, int mode, int flags) {
    try {
      return (int) Access.FACCESSAT.invokeExact(errno, dirFd, path, mode, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fcntl(MemorySegment errno, int fd, int command, long argument) {
    try {
      return (int) Locks.FCNTL.invokeExact(errno, fd, command, argument);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int flock(MemorySegment errno, int fd, int operation) {
    try {
      return (int) Locks.FLOCK.invokeExact(errno, fd, operation);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
