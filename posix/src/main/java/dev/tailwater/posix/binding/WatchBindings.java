package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.WatchCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link WatchCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * Each function is linked when it is called first.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class WatchBindings {
  private static final Binder BINDER = new Binder();

  private static final class InotifyInit1 {
    static final MethodHandle HANDLE = BINDER.ordinary("inotify_init1", JAVA_INT, JAVA_INT);
  }

  private static final class InotifyAddWatch {
    static final MethodHandle HANDLE =
        BINDER.ordinary("inotify_add_watch", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static final class InotifyRmWatch {
    static final MethodHandle HANDLE =
        BINDER.ordinary("inotify_rm_watch", JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class Eventfd {
    static final MethodHandle HANDLE = BINDER.ordinary("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class Read {
    static final MethodHandle HANDLE =
        BINDER.ordinary("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  }

  private static final class Write {
    static final MethodHandle HANDLE =
        BINDER.ordinary("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  }

  private static final class Poll {
    static final MethodHandle HANDLE =
        BINDER.ordinary("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  }

  private WatchBindings() {}

  public static int inotifyInit1(MemorySegment errno, int flags) {
    try {
      return (int) InotifyInit1.HANDLE.invokeExact(errno, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int inotifyAddWatch(MemorySegment errno, int fd, MemorySegment path, int mask) {
    try {
      return (int) InotifyAddWatch.HANDLE.invokeExact(errno, fd, path, mask);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int inotifyRmWatch(MemorySegment errno, int fd, int watch) {
    try {
      return (int) InotifyRmWatch.HANDLE.invokeExact(errno, fd, watch);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int eventfd(MemorySegment errno, int initial, int flags) {
    try {
      return (int) Eventfd.HANDLE.invokeExact(errno, initial, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long read(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) Read.HANDLE.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long write(MemorySegment errno, int fd, MemorySegment source, long bytes) {
    try {
      return (long) Write.HANDLE.invokeExact(errno, fd, source, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int poll(MemorySegment errno, MemorySegment fds, long count, int timeoutMillis) {
    try {
      return (int) Poll.HANDLE.invokeExact(errno, fds, count, timeoutMillis);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
