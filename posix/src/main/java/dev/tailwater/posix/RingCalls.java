package dev.tailwater.posix;

import dev.tailwater.posix.value.RingFlag;
import dev.tailwater.posix.value.RingParameters;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls of io_uring, the request queues that a process shares with the kernel. The caller reads and
 * writes their memory; {@link RingParameters} describes its layout.
 */
public interface RingCalls {
  /** The offset of the two rings for {@link #mapRing} (IORING_OFF_SQ_RING). */
  long RINGS_OFFSET_BYTES = 0;

  /** The offset of the submission entries for {@link #mapRing} (IORING_OFF_SQES). */
  long ENTRIES_OFFSET_BYTES = 0x10000000L;

  /**
   * Creates a ring. Its descriptor is close-on-exec; close it with {@link NameCalls#close}. Does
   * not block.
   *
   * <p>{@code ENOSYS} (before Linux 5.1, built without it, or hidden by a seccomp profile), {@code
   * EPERM} (forbidden by the sysctl kernel.io_uring_disabled or by a seccomp profile), {@code
   * EINVAL} (0 or too many entries, or a flag that the kernel does not know), {@code EMFILE},
   * {@code ENFILE}, {@code ENOMEM} (before Linux 5.12 also: RLIMIT_MEMLOCK is too small).
   *
   * @param entries how many submissions fit, 1 to 32768; rounded up to a power of two
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_setup.2.html">io_uring_setup(2)</a>
   */
  RingParameters ioUringSetup(int entries, Set<RingFlag> flags) throws ErrnoException;

  /**
   * Passes submissions to the kernel, then waits for completions. An ordinary downcall that blocks
   * until enough completions are there; a virtual thread occupies its carrier meanwhile. Allocates
   * nothing on the Java heap.
   *
   * <p>{@code EINTR} (a signal arrived during the wait and nothing was submitted; not retried,
   * because completions may have arrived), {@code EAGAIN} (there is currently no memory for a
   * request), {@code EBUSY} (the completion ring is full; take some completions first), {@code
   * EBADR} (completions were lost), {@code EBADF}, {@code ENXIO} (the ring is being torn down),
   * {@code EOPNOTSUPP} (not a ring), {@code EFAULT}, {@code EINVAL}. The failure of a single
   * request is reported in its completion.
   *
   * @param submissions how many of the filled entries to submit
   * @param minCompletions the minimum number of unread completions to wait for; 0 does not wait
   * @return the number of submissions that the kernel took, which may be less than {@code
   *     submissions}
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_enter.2.html">io_uring_enter(2)</a>
   */
  int ioUringEnter(int ringFd, int submissions, int minCompletions) throws ErrnoException;

  /**
   * Limits the number of kernel threads that execute blocking operations, for requests of the
   * calling thread and of threads that use the ring for the first time later
   * (IORING_REGISTER_IOWQ_MAX_WORKERS). On file systems that cannot read without blocking (FUSE,
   * NFS), it limits the number of reads in flight. The kernel's default is the smaller of the
   * ring's entries and four per processor. Does not block.
   *
   * <p>{@code EINVAL} (before Linux 5.15), {@code EBADF}, {@code ENXIO}, {@code EOPNOTSUPP}, {@code
   * ENOMEM}.
   *
   * @param threads the limit for files; operations that may block forever (pipes, sockets) keep the
   *     kernel's default
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_register.2.html">io_uring_register(2)
   *     </a>
   */
  void ioUringLimitWorkers(int ringFd, int threads) throws ErrnoException;

  /**
   * Maps the memory of a ring, shared with the kernel, for reading and writing. It stays mapped
   * until {@link #unmapRing}, even if the descriptor is closed.
   *
   * <p>{@code ENOMEM}, {@code EINVAL} (no such offset), {@code EBADF}, {@code EAGAIN}.
   *
   * @param offsetBytes {@link #RINGS_OFFSET_BYTES} or {@link #ENTRIES_OFFSET_BYTES}
   * @return memory that any thread may use
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2)</a>
   */
  MemorySegment mapRing(int ringFd, long offsetBytes, long lengthBytes) throws ErrnoException;

  /**
   * Unmaps memory that {@link #mapRing} mapped. An access after that kills the process.
   *
   * <p>{@code EINVAL} (not such memory).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">munmap(2)</a>
   */
  void unmapRing(MemorySegment memory) throws ErrnoException;
}
