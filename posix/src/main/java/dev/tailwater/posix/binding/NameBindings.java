package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.NameCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link NameCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * Each function is linked when it is called first.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class NameBindings {
  private static final Binder BINDER = new Binder();

  private static final class Openat {
    static final MethodHandle HANDLE =
        BINDER.variadic("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  }

  private static final class Close {
    static final MethodHandle HANDLE = BINDER.ordinary("close", JAVA_INT, JAVA_INT);
  }

  private static final class Lseek {
    static final MethodHandle HANDLE =
        BINDER.ordinary("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  }

  private static final class Getdents64 {
    static final MethodHandle HANDLE =
        BINDER.ordinary("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  }

  private static final class Renameat2 {
    static final MethodHandle HANDLE =
        BINDER.ordinary("renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class Linkat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("linkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class Unlinkat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class Mkdirat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class Symlinkat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  }

  private static final class Fchownat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("fchownat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class Utimensat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("utimensat", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  }

  private static final class Readlinkat {
    static final MethodHandle HANDLE =
        BINDER.ordinary("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  }

  /** For system calls that older C libraries have no wrapper for. */
  private static final class Syscall4 {
    static final MethodHandle HANDLE =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
  }

  private static final long SYS_OPENAT2 = 437;

  private NameBindings() {}

  public static int openat(
      MemorySegment errno, int dirFd, MemorySegment path, int flags, int mode) {
    try {
      return (int) Openat.HANDLE.invokeExact(errno, dirFd, path, flags, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int openat2(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment how, long howBytes) {
    try {
      return (int)
          (long) Syscall4.HANDLE.invokeExact(errno, SYS_OPENAT2, (long) dirFd, path, how, howBytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int close(MemorySegment errno, int fd) {
    try {
      return (int) Close.HANDLE.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long lseek(MemorySegment errno, int fd, long offset, int whence) {
    try {
      return (long) Lseek.HANDLE.invokeExact(errno, fd, offset, whence);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long getdents64(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) Getdents64.HANDLE.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int renameat2(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) Renameat2.HANDLE.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int linkat(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) Linkat.HANDLE.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int unlinkat(MemorySegment errno, int dirFd, MemorySegment path, int flags) {
    try {
      return (int) Unlinkat.HANDLE.invokeExact(errno, dirFd, path, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int mkdirat(MemorySegment errno, int dirFd, MemorySegment path, int mode) {
    try {
      return (int) Mkdirat.HANDLE.invokeExact(errno, dirFd, path, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int symlinkat(
      MemorySegment errno, MemorySegment target, int dirFd, MemorySegment path) {
    try {
      return (int) Symlinkat.HANDLE.invokeExact(errno, target, dirFd, path);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fchownat(
      MemorySegment errno, int dirFd, MemorySegment path, int user, int group, int flags) {
    try {
      return (int) Fchownat.HANDLE.invokeExact(errno, dirFd, path, user, group, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int utimensat(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment times, int flags) {
    try {
      return (int) Utimensat.HANDLE.invokeExact(errno, dirFd, path, times, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long readlinkat(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment target, long bytes) {
    try {
      return (long) Readlinkat.HANDLE.invokeExact(errno, dirFd, path, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
