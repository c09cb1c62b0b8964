package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.SchedulingCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the calls of {@link SchedulingCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Each function is linked when it is
 * called first.
 *
 * <p>getpriority is called as a system call, because a result of -1 from the C library may be a
 * nice level.
 */
public final class SchedulingBindings {
  private static final Binder BINDER = new Binder();
  private static final Platform PLATFORM = Platform.current();

  private static final class Syscall1 {
    static final MethodHandle HANDLE =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class Syscall2 {
    static final MethodHandle HANDLE =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class Syscall3 {
    static final MethodHandle HANDLE =
        BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class Setpriority {
    static final MethodHandle HANDLE =
        BINDER.ordinary("setpriority", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  }

  private static final class SchedSetscheduler {
    static final MethodHandle HANDLE =
        BINDER.ordinary("sched_setscheduler", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  }

  private static final class ClockGettime {
    static final MethodHandle HANDLE =
        BINDER.ordinary("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);
  }

  private SchedulingBindings() {}

  public static int getTid(MemorySegment errno) {
    try {
      return (int) (long) Syscall1.HANDLE.invokeExact(errno, PLATFORM.getTid(), 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns 1 (nice level 19) to 40 (nice level -20). */
  public static int getPriority(MemorySegment errno, int which, int who) {
    try {
      return (int)
          (long)
              Syscall2.HANDLE.invokeExact(errno, PLATFORM.getPriority(), (long) which, (long) who);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int setPriority(MemorySegment errno, int which, int who, int nice) {
    try {
      return (int) Setpriority.HANDLE.invokeExact(errno, which, who, nice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int schedSetScheduler(
      MemorySegment errno, int threadId, int policy, MemorySegment parameters) {
    try {
      return (int) SchedSetscheduler.HANDLE.invokeExact(errno, threadId, policy, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** The policy in the attributes is that of struct sched_attr; no flags. */
  public static int schedSetAttr(MemorySegment errno, int threadId, MemorySegment attributes) {
    try {
      return (int)
          (long)
              Syscall3.HANDLE.invokeExact(
                  errno, PLATFORM.schedSetAttr(), (long) threadId, attributes.address(), 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioPrioritySet(MemorySegment errno, int which, int who, int priority) {
    try {
      return (int)
          (long)
              Syscall3.HANDLE.invokeExact(
                  errno, PLATFORM.ioPrioritySet(), (long) which, (long) who, (long) priority);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioPriorityGet(MemorySegment errno, int which, int who) {
    try {
      return (int)
          (long)
              Syscall2.HANDLE.invokeExact(
                  errno, PLATFORM.ioPriorityGet(), (long) which, (long) who);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int clockGetTime(MemorySegment errno, int clock, MemorySegment time) {
    try {
      return (int) ClockGettime.HANDLE.invokeExact(errno, clock, time);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
