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
 * The functions are linked at the first use of this class.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class WatchBindings {
  private static final Binder BINDER = new Binder();

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

  private WatchBindings() {}

  public static int inotifyInit1(MemorySegment errno, int flags) {
    try {
      return (int) INOTIFY_INIT1.invokeExact(errno, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int inotifyAddWatch(MemorySegment errno, int fd, MemorySegment path, int mask) {
    try {
      return (int) INOTIFY_ADD_WATCH.invokeExact(errno, fd, path, mask);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int inotifyRmWatch(MemorySegment errno, int fd, int watch) {
    try {
      return (int) INOTIFY_RM_WATCH.invokeExact(errno, fd, watch);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int eventfd(MemorySegment errno, int initial, int flags) {
    try {
      return (int) EVENTFD.invokeExact(errno, initial, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long read(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) READ.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long write(MemorySegment errno, int fd, MemorySegment source, long bytes) {
    try {
      return (long) WRITE.invokeExact(errno, fd, source, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int poll(MemorySegment errno, MemorySegment fds, long count, int timeoutMillis) {
    try {
      return (int) POLL.invokeExact(errno, fds, count, timeoutMillis);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
