package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.SchedulingCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the calls of {@link SchedulingCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. The functions are linked at the first
 * use of this class.
 *
 * <p>getpriority is called as a system call, because a result of -1 from the C library may be a
 * nice level.
 */
public final class SchedulingBindings {
  private static final Binder BINDER = new Binder();
  private static final Platform PLATFORM = Platform.current();

  private static final MethodHandle SYSCALL_1 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SYSCALL_2 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SYSCALL_3 =
      BINDER.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SETPRIORITY =
      BINDER.ordinary("setpriority", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle SCHED_SETSCHEDULER =
      BINDER.ordinary("sched_setscheduler", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle CLOCK_GETTIME =
      BINDER.ordinary("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);

  private SchedulingBindings() {}

  public static int getTid(MemorySegment errno) {
    try {
      return (int) (long) SYSCALL_1.invokeExact(errno, PLATFORM.getTid(), 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns 1 (nice level 19) to 40 (nice level -20). */
  public static int getPriority(MemorySegment errno, int which, int who) {
    try {
      return (int)
          (long) SYSCALL_2.invokeExact(errno, PLATFORM.getPriority(), (long) which, (long) who);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int setPriority(MemorySegment errno, int which, int who, int nice) {
    try {
      return (int) SETPRIORITY.invokeExact(errno, which, who, nice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int schedSetScheduler(
      MemorySegment errno, int threadId, int policy, MemorySegment parameters) {
    try {
      return (int) SCHED_SETSCHEDULER.invokeExact(errno, threadId, policy, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** The policy in the attributes is that of struct sched_attr; no flags. */
  public static int schedSetAttr(MemorySegment errno, int threadId, MemorySegment attributes) {
    try {
      return (int)
          (long)
              SYSCALL_3.invokeExact(
                  errno, PLATFORM.schedSetAttr(), (long) threadId, attributes.address(), 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioPrioritySet(MemorySegment errno, int which, int who, int priority) {
    try {
      return (int)
          (long)
              SYSCALL_3.invokeExact(
                  errno, PLATFORM.ioPrioritySet(), (long) which, (long) who, (long) priority);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ioPriorityGet(MemorySegment errno, int which, int who) {
    try {
      return (int)
          (long) SYSCALL_2.invokeExact(errno, PLATFORM.ioPriorityGet(), (long) which, (long) who);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int clockGetTime(MemorySegment errno, int clock, MemorySegment time) {
    try {
      return (int) CLOCK_GETTIME.invokeExact(errno, clock, time);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
