package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.SchedulingBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/**
 * The implementation of {@link SchedulingCalls} for Linux. Thread-safe, for platform and virtual
 * threads.
 *
 * <p>The JVM needs {@code --enable-native-access}; otherwise it prints a warning.
 */
public final class LinuxSchedulingCalls implements SchedulingCalls {
  /** PRIO_PROCESS, which selects a thread, and IOPRIO_WHO_PROCESS. */
  private static final int PRIO_PROCESS = 0;

  private static final int IOPRIO_WHO_PROCESS = 1;
  private static final int SCHED_ATTR_BYTES = 48;
  private static final int SCHED_ATTR_NICE_AT = 16;
  private static final int SCHED_ATTR_RUNTIME_AT = 24;
  private static final int IO_CLASS_SHIFT = 13;
  private static final int IO_LEVEL_BITS = 7;
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  /** CPUCLOCK_SCHED and CPUCLOCK_PERTHREAD_MASK of include/linux/posix-timers.h. */
  private static final int CLOCK_OF_THREAD = 2 | 4;

  /** The number that the system call getpriority subtracts a nice level from, to stay positive. */
  private static final int NICE_OFFSET = 20;

  private final ScratchPool scratches = new ScratchPool();

  private LinuxSchedulingCalls() {}

  /**
   * Creates the scheduling calls for this machine.
   *
   * @throws IllegalStateException on any system other than Linux on x86-64 or aarch64
   */
  public static SchedulingCalls create() {
    Platform.current();
    return new LinuxSchedulingCalls();
  }

  @Override
  public int currentThread() {
    try (Scratch scratch = scratches.acquire()) {
      return SchedulingBindings.getTid(scratch.errno());
    }
  }

  @Override
  public int nice(int threadId) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result = SchedulingBindings.getPriority(scratch.errno(), PRIO_PROCESS, threadId);
      if (result < 0) {
        throw scratch.failure("getpriority", thread(threadId));
      }
      return NICE_OFFSET - result;
    }
  }

  @Override
  public void setNice(int threadId, int nice) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (SchedulingBindings.setPriority(scratch.errno(), PRIO_PROCESS, threadId, nice) < 0) {
        throw scratch.failure("setpriority", thread(threadId) + ", nice level " + nice);
      }
    }
  }

  @Override
  public void setPolicy(int threadId, SchedulingPolicy policy) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment parameters = scratch.struct();
      parameters.set(JAVA_INT, 0, 0); // struct sched_param: the realtime priority
      if (SchedulingBindings.schedSetScheduler(
              scratch.errno(), threadId, policy.number(), parameters)
          < 0) {
        throw scratch.failure("sched_setscheduler", thread(threadId) + ", " + policy);
      }
    }
  }

  /** Fills struct sched_attr of sched_setattr(2): its first version, of 48 bytes. */
  @Override
  public void setTimeSlice(int threadId, long nanos) throws ErrnoException {
    int nice = nice(threadId);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment attributes = scratch.struct().asSlice(0, SCHED_ATTR_BYTES).fill((byte) 0);
      attributes.set(ValueLayout.JAVA_INT, 0, SCHED_ATTR_BYTES);
      attributes.set(ValueLayout.JAVA_INT, SCHED_ATTR_NICE_AT, nice);
      attributes.set(ValueLayout.JAVA_LONG, SCHED_ATTR_RUNTIME_AT, nanos);
      if (SchedulingBindings.schedSetAttr(scratch.errno(), threadId, attributes) < 0) {
        throw scratch.failure("sched_setattr", thread(threadId) + ", " + nanos + " ns");
      }
    }
  }

  @Override
  public void setIoPriority(int threadId, IoPriority priority) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (SchedulingBindings.ioPrioritySet(
              scratch.errno(), IOPRIO_WHO_PROCESS, threadId, priority.bits())
          < 0) {
        throw scratch.failure("ioprio_set", thread(threadId) + ", " + priority);
      }
    }
  }

  @Override
  public IoPriority ioPriority(int threadId) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int bits = SchedulingBindings.ioPriorityGet(scratch.errno(), IOPRIO_WHO_PROCESS, threadId);
      if (bits < 0) {
        throw scratch.failure("ioprio_get", thread(threadId));
      }
      return switch (bits >> IO_CLASS_SHIFT) {
        case 0 -> IoPriority.NONE;
        case 1 -> IoPriority.bestEffort(0);
        case 2 -> IoPriority.bestEffort(bits & IO_LEVEL_BITS);
        default -> IoPriority.IDLE;
      };
    }
  }

  @Override
  public long processCpuNanos() throws ErrnoException {
    return cpuNanos(CLOCK_PROCESS_CPUTIME_ID, "CLOCK_PROCESS_CPUTIME_ID");
  }

  @Override
  public long threadCpuNanos(int threadId) throws ErrnoException {
    return cpuNanos((~threadId << 3) | CLOCK_OF_THREAD, thread(threadId));
  }

  private long cpuNanos(int clock, String subject) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment time = scratch.struct();
      if (SchedulingBindings.clockGetTime(scratch.errno(), clock, time) < 0) {
        throw scratch.failure("clock_gettime", subject);
      }
      return TimeUnit.SECONDS.toNanos(time.get(JAVA_LONG, 0)) + time.get(JAVA_LONG, Long.BYTES);
    }
  }

  private static String thread(int threadId) {
    return "thread " + threadId;
  }
}
