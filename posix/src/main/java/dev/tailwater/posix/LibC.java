package dev.tailwater.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's functions, one binding and one typed method each. Results are as in C: -1 and
 * errno in the first argument's segment. Nothing is retried or translated here.
 *
 * <p>Off_t, size_t and ssize_t are 64 bits wide on both {@linkplain Platform platforms}.
 */
final class LibC {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle OPENAT =
      BINDER.variadic("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = BINDER.ordinary("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle LSEEK =
      BINDER.ordinary("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle GETDENTS64 =
      BINDER.ordinary("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle RENAMEAT2 =
      BINDER.ordinary("renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LINKAT =
      BINDER.ordinary("linkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle UNLINKAT =
      BINDER.ordinary("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle MKDIRAT =
      BINDER.ordinary("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle READLINKAT =
      BINDER.ordinary("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);

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

  private static final MethodHandle PWRITE =
      BINDER.ordinary("pwrite", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FSYNC = BINDER.ordinary("fsync", JAVA_INT, JAVA_INT);
  private static final MethodHandle FDATASYNC = BINDER.ordinary("fdatasync", JAVA_INT, JAVA_INT);
  private static final MethodHandle FALLOCATE =
      BINDER.ordinary("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FTRUNCATE =
      BINDER.ordinary("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle FCHMOD =
      BINDER.ordinary("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle FUTIMENS =
      BINDER.ordinary("futimens", JAVA_INT, JAVA_INT, ADDRESS);

  private static final MethodHandle STATX =
      BINDER.ordinary("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle FSTATFS =
      BINDER.ordinary("fstatfs", JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle IOCTL =
      BINDER.variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle FLOCK = BINDER.ordinary("flock", JAVA_INT, JAVA_INT, JAVA_INT);

  private static final MethodHandle INOTIFY_INIT1 =
      BINDER.ordinary("inotify_init1", JAVA_INT, JAVA_INT);
  private static final MethodHandle INOTIFY_ADD_WATCH =
      BINDER.ordinary("inotify_add_watch", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle INOTIFY_RM_WATCH =
      BINDER.ordinary("inotify_rm_watch", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle EVENTFD =
      BINDER.ordinary("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle READ =
      BINDER.ordinary("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE =
      BINDER.ordinary("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle POLL =
      BINDER.ordinary("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  /** For calls that C libraries of our age have no wrapper for. */
  private static final MethodHandle SYSCALL_4 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);

  private static final long SYS_OPENAT2 = 437;
  private static final long SYS_CACHESTAT = 451;

  private LibC() {}

  static int openat(MemorySegment errno, int dirFd, MemorySegment path, int flags, int mode) {
    try {
      return (int) OPENAT.invokeExact(errno, dirFd, path, flags, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int openat2(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment how, long howBytes) {
    try {
      return (int)
          (long) SYSCALL_4.invokeExact(errno, SYS_OPENAT2, (long) dirFd, path, how, howBytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int close(MemorySegment errno, int fd) {
    try {
      return (int) CLOSE.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long lseek(MemorySegment errno, int fd, long offset, int whence) {
    try {
      return (long) LSEEK.invokeExact(errno, fd, offset, whence);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long getdents64(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) GETDENTS64.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int renameat2(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) RENAMEAT2.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int linkat(
      MemorySegment errno, int fromFd, MemorySegment from, int toFd, MemorySegment to, int flags) {
    try {
      return (int) LINKAT.invokeExact(errno, fromFd, from, toFd, to, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int unlinkat(MemorySegment errno, int dirFd, MemorySegment path, int flags) {
    try {
      return (int) UNLINKAT.invokeExact(errno, dirFd, path, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int mkdirat(MemorySegment errno, int dirFd, MemorySegment path, int mode) {
    try {
      return (int) MKDIRAT.invokeExact(errno, dirFd, path, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long readlinkat(
      MemorySegment errno, int dirFd, MemorySegment path, MemorySegment target, long bytes) {
    try {
      return (long) READLINKAT.invokeExact(errno, dirFd, path, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long pread(MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) PREAD.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** As pread, into a heap segment, without a safepoint while it runs. */
  static long preadCritical(
      MemorySegment errno, int fd, MemorySegment target, long bytes, long offset) {
    try {
      return (long) PREAD_CRITICAL.invokeExact(errno, fd, target, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** One vector, which points to the target. */
  static long preadv2(
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
  static int posixFadvise(MemorySegment errno, int fd, long offset, long bytes, int advice) {
    try {
      return (int) POSIX_FADVISE.invokeExact(errno, fd, offset, bytes, advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int cachestat(MemorySegment errno, int fd, MemorySegment range, MemorySegment target) {
    try {
      return (int) (long) SYSCALL_4.invokeExact(errno, SYS_CACHESTAT, (long) fd, range, target, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long pwrite(MemorySegment errno, int fd, MemorySegment source, long bytes, long offset) {
    try {
      return (long) PWRITE.invokeExact(errno, fd, source, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fsync(MemorySegment errno, int fd) {
    try {
      return (int) FSYNC.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fdatasync(MemorySegment errno, int fd) {
    try {
      return (int) FDATASYNC.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fallocate(MemorySegment errno, int fd, int mode, long offset, long bytes) {
    try {
      return (int) FALLOCATE.invokeExact(errno, fd, mode, offset, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int ftruncate(MemorySegment errno, int fd, long bytes) {
    try {
      return (int) FTRUNCATE.invokeExact(errno, fd, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fchmod(MemorySegment errno, int fd, int mode) {
    try {
      return (int) FCHMOD.invokeExact(errno, fd, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int futimens(MemorySegment errno, int fd, MemorySegment times) {
    try {
      return (int) FUTIMENS.invokeExact(errno, fd, times);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int statx(
      MemorySegment errno, int dirFd, MemorySegment path, int flags, int mask, MemorySegment to) {
    try {
      return (int) STATX.invokeExact(errno, dirFd, path, flags, mask, to);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fstatfs(MemorySegment errno, int fd, MemorySegment target) {
    try {
      return (int) FSTATFS.invokeExact(errno, fd, target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int ioctl(MemorySegment errno, int fd, long request, MemorySegment argument) {
    try {
      return (int) IOCTL.invokeExact(errno, fd, request, argument);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int flock(MemorySegment errno, int fd, int operation) {
    try {
      return (int) FLOCK.invokeExact(errno, fd, operation);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int inotifyInit1(MemorySegment errno, int flags) {
    try {
      return (int) INOTIFY_INIT1.invokeExact(errno, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int inotifyAddWatch(MemorySegment errno, int fd, MemorySegment path, int mask) {
    try {
      return (int) INOTIFY_ADD_WATCH.invokeExact(errno, fd, path, mask);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int inotifyRmWatch(MemorySegment errno, int fd, int watch) {
    try {
      return (int) INOTIFY_RM_WATCH.invokeExact(errno, fd, watch);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int eventfd(MemorySegment errno, int initial, int flags) {
    try {
      return (int) EVENTFD.invokeExact(errno, initial, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long read(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) READ.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static long write(MemorySegment errno, int fd, MemorySegment source, long bytes) {
    try {
      return (long) WRITE.invokeExact(errno, fd, source, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int poll(MemorySegment errno, MemorySegment fds, long count, int timeoutMillis) {
    try {
      return (int) POLL.invokeExact(errno, fds, count, timeoutMillis);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
