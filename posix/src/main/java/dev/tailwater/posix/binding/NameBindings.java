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
 * Functions that are called together are linked together, when the first of them is called.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class NameBindings {
  private static final Binder BINDER = new Binder();

  private static final long SYS_OPENAT2 = 437;

  private static final class Opening {
    static final MethodHandle OPENAT =
        BINDER.variadic("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle CLOSE = BINDER.ordinary("close", JAVA_INT, JAVA_INT);

    /** For system calls that older C libraries have no wrapper for. */
    static final MethodHandle SYSCALL_4 =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
  }

  private static final class Position {
    static final MethodHandle LSEEK =
        BINDER.ordinary("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  }

  private static final class Listing {
    static final MethodHandle GETDENTS64 =
        BINDER.ordinary("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  }

  private static final class Entries {
    static final MethodHandle RENAMEAT2 =
        BINDER.ordinary("renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle LINKAT =
        BINDER.ordinary("linkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle UNLINKAT =
        BINDER.ordinary("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle MKDIRAT =
        BINDER.ordinary("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class Links {
    static final MethodHandle SYMLINKAT =
        BINDER.ordinary("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    static final MethodHandle FCHOWNAT =
        BINDER.ordinary("fchownat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle UTIMENSAT =
        BINDER.ordinary("utimensat", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    static final MethodHandle READLINKAT =
        BINDER.ordinary("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  }

  private NameBindings() {}

  public static int openat(
      MemorySegment errno, int dirFd, MemorySegment path, int flags, int mode) {
    try {
      return (int) Opening.OPENAT.invokeExact(errno, dirFd, path, flags, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int openat2(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment how, long howBytes) {
    try {
      return (int)
          (long)
              Opening.SYSCALL_4.invokeExact(errno, SYS_OPENAT2, (long) dirFd, path, how, howBytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int close(MemorySegment errno, int fd) {
    try {
      return (int) Opening.CLOSE.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long lseek(MemorySegment errno, int fd, long offset, int whence) {
    try {
      return (long) Position.LSEEK.invokeExact(errno, fd, offset, whence);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long getdents64(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) Listing.GETDENTS64.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int renameat2(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) Entries.RENAMEAT2.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int linkat(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) Entries.LINKAT.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int unlinkat(MemorySegment errno, int dirFd, MemorySegment path, int flags) {
    try {
      return (int) Entries.UNLINKAT.invokeExact(errno, dirFd, path, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int mkdirat(MemorySegment errno, int dirFd, MemorySegment path, int mode) {
    try {
      return (int) Entries.MKDIRAT.invokeExact(errno, dirFd, path, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int symlinkat(
      MemorySegment errno, MemorySegment target, int dirFd, MemorySegment path) {
    try {
      return (int) Links.SYMLINKAT.invokeExact(errno, target, dirFd, path);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fchownat(
      MemorySegment errno, int dirFd, MemorySegment path, int user, int group, int flags) {
    try {
      return (int) Links.FCHOWNAT.invokeExact(errno, dirFd, path, user, group, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int utimensat(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment times, int flags) {
    try {
      return (int) Links.UTIMENSAT.invokeExact(errno, dirFd, path, times, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long readlinkat(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment target, long bytes) {
    try {
      return (long) Links.READLINKAT.invokeExact(errno, dirFd, path, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
