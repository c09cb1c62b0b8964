package dev.tailwater.delivery.neighbour;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The kernel's calls as an ordinary user has them: what was lowered cannot be raised. The processor
 * time of the process is what the test says.
 */
public final class PowerlessCalls implements SchedulingCalls {
  private final SchedulingCalls real = LinuxSchedulingCalls.create();

  /** The processor time that the process is said to have used. */
  public final AtomicLong cpuNanos = new AtomicLong();

  @Override
  public int currentThread() {
    return real.currentThread();
  }

  @Override
  public int nice(int threadId) throws ErrnoException {
    return real.nice(threadId);
  }

  @Override
  public void setNice(int threadId, int nice) throws ErrnoException {
    if (nice < real.nice(threadId)) {
      throw ErrnoException.of("setpriority", "thread " + threadId, Errno.EACCES);
    }
    real.setNice(threadId, nice);
  }

  @Override
  public void setPolicy(int threadId, SchedulingPolicy policy) throws ErrnoException {
    real.setPolicy(threadId, policy);
  }

  @Override
  public void setTimeSlice(int threadId, long nanos) throws ErrnoException {
    real.setTimeSlice(threadId, nanos);
  }

  @Override
  public void setIoPriority(int threadId, IoPriority priority) throws ErrnoException {
    real.setIoPriority(threadId, priority);
  }

  @Override
  public IoPriority ioPriority(int threadId) throws ErrnoException {
    return real.ioPriority(threadId);
  }

  @Override
  public long processCpuNanos() {
    return cpuNanos.get();
  }

  @Override
  public long threadCpuNanos(int threadId) {
    return 0;
  }
}
