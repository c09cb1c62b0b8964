package dev.tailwater.posix;

import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;

/**
 * Calls for the processor and disk priority of threads, and for the processor time they have used.
 * On Linux, priorities belong to single threads; a new thread inherits them from its creator.
 *
 * <p>All are ordinary downcalls of about a microsecond that do not wait and are not interrupted by
 * signals. Methods for a thread take its kernel id, of this process or another, and fail with
 * {@code ESRCH} if there is no such thread. Implementations are thread-safe.
 */
public interface SchedulingCalls {
  /**
   * Returns the kernel id of the calling thread; for a virtual thread, that of its current carrier.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/gettid.2.html">gettid(2)</a>
   */
  int currentThread();

  /**
   * Returns a thread's nice level, from -20 (highest priority) to 19 (lowest).
   *
   * <p>{@code ESRCH}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/getpriority.2.html">getpriority(2)</a>
   */
  int nice(int threadId) throws ErrnoException;

  /**
   * Sets a thread's nice level. Values outside of -20 to 19 are clamped.
   *
   * <p>{@code EACCES} (a lower number than the current one, without CAP_SYS_NICE and beyond
   * RLIMIT_NICE: a lowered priority stays low), {@code EPERM} (a thread of another user), {@code
   * ESRCH}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/setpriority.2.html">setpriority(2)</a>
   */
  void setNice(int threadId, int nice) throws ErrnoException;

  /**
   * Sets a thread's scheduling policy: batch, idle or normal.
   *
   * <p>{@code EPERM} (from idle to another policy, without CAP_SYS_NICE and when RLIMIT_NICE does
   * not allow the thread's nice level; or a thread of another user; or a seccomp profile), {@code
   * ESRCH}, {@code ENOSYS} (musl).
   *
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/sched_setscheduler.2.html">sched_setscheduler(2)</a>
   */
  void setPolicy(int threadId, SchedulingPolicy policy) throws ErrnoException;

  /**
   * Sets the time slice of a thread with a normal or batch policy. A thread with a short slice gets
   * no more processor time than others, but the kernel lets it run sooner after it wakes: it
   * interrupts threads with longer slices. Needs no privilege. Kernels before 6.12 accept the value
   * and ignore it. The nice level stays as it is; the policy becomes normal.
   *
   * <p>{@code ESRCH}, {@code EPERM} (a thread of another user, or a seccomp profile). The C library
   * has no function for this call.
   *
   * @param nanos the kernel takes 100 µs to 100 ms, and the nearest of them otherwise
   * @see <a href="https://man7.org/linux/man-pages/man2/sched_setattr.2.html">sched_setattr(2)</a>
   */
  void setTimeSlice(int threadId, long nanos) throws ErrnoException;

  /**
   * Sets a thread's I/O priority. No change needs a privilege.
   *
   * <p>{@code EPERM} (a thread of another user, or a seccomp profile), {@code ESRCH}, {@code
   * ENOSYS} (a kernel without block devices). The C library has no function for this call.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioprio_set.2.html">ioprio_set(2)</a>
   */
  void setIoPriority(int threadId, IoPriority priority) throws ErrnoException;

  /**
   * Returns a thread's I/O priority. A realtime priority is returned as the highest best-effort
   * priority.
   *
   * <p>{@code ESRCH}, {@code ENOSYS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioprio_set.2.html">ioprio_get(2)</a>
   */
  IoPriority ioPriority(int threadId) throws ErrnoException;

  /**
   * Returns the processor time that all threads of this process have used, including ended ones, in
   * nanoseconds.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/clock_gettime.2.html">clock_gettime(2),
   *     CLOCK_PROCESS_CPUTIME_ID</a>
   */
  long processCpuNanos() throws ErrnoException;

  /**
   * Returns the processor time that one thread of this process has used since it started, in
   * nanoseconds. Needs no descriptor.
   *
   * <p>{@code EINVAL} (the thread has ended).
   *
   * @see <a href="https://man7.org/linux/man-pages/man3/pthread_getcpuclockid.3.html">
   *     pthread_getcpuclockid(3)</a>, whose clocks are numbered by the kernel's thread ids
   */
  long threadCpuNanos(int threadId) throws ErrnoException;
}
