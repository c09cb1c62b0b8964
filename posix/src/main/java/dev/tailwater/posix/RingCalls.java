package dev.tailwater.posix;

import dev.tailwater.posix.value.RingFlag;
import dev.tailwater.posix.value.RingParameters;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls of io_uring, the kernel's request queues in shared memory. The caller reads and writes that
 * memory; {@link RingParameters} describes its layout.
 */
public interface RingCalls {
  /** Offset of the two rings, for {@link #mapRing}: IORING_OFF_SQ_RING. */
  long RINGS_OFFSET_BYTES = 0;

  /** Offset of the table of submission entries, for {@link #mapRing}: IORING_OFF_SQES. */
  long ENTRIES_OFFSET_BYTES = 0x10000000L;

  /**
   * Creates a ring. Its descriptor is close-on-exec and is closed with {@link NameCalls#close}.
   * Does not block.
   *
   * <p>{@code ENOSYS} (before Linux 5.1, built without it, or hidden by a seccomp profile), {@code
   * EPERM} (forbidden by the sysctl kernel.io_uring_disabled or by a seccomp profile), {@code
   * EINVAL} (no entries or too many; a flag that the kernel does not know), {@code EMFILE}, {@code
   * ENFILE}, {@code ENOMEM} (before Linux 5.12 also: RLIMIT_MEMLOCK is too small).
   *
   * @param entries submissions that fit, 1 to 32768; rounded up to a power of two
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_setup.2.html">io_uring_setup(2)</a>
   */
  RingParameters ioUringSetup(int entries, Set<RingFlag> flags) throws ErrnoException;

  /**
   * Hands submissions to the kernel, then waits for completions. An ordinary downcall that blocks
   * until there are that many; a virtual thread holds its carrier meanwhile. Allocates nothing on
   * the Java heap.
   *
   * <p>{@code EINTR} (a signal while waiting and nothing was submitted; not retried, as completions
   * may have come), {@code EAGAIN} (no memory for a request now), {@code EBUSY} (completions do not
   * fit any more; take some first), {@code EBADR} (completions were lost), {@code EBADF}, {@code
   * ENXIO} (the ring is being torn down), {@code EOPNOTSUPP} (not a ring), {@code EFAULT}, {@code
   * EINVAL}. What goes wrong with a request stands in its completion.
   *
   * @param submissions how many of the entries that were filled
   * @param minCompletions how many unread completions there are at least when it returns; 0 does
   *     not wait
   * @return submissions that the kernel took, which may be fewer than given
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_enter.2.html">io_uring_enter(2)</a>
   */
  int ioUringEnter(int ringFd, int submissions, int minCompletions) throws ErrnoException;

  /**
   * How many kernel threads may at once do what has to block, for requests of the calling thread
   * and of those that use the ring first later on (IORING_REGISTER_IOWQ_MAX_WORKERS). File systems
   * that cannot read without blocking (FUSE, NFS) have no more reads in flight than this; the
   * kernel's own figure is the smaller of the ring's entries and four per processor. Does not
   * block.
   *
   * <p>{@code EINVAL} (before Linux 5.15), {@code EBADF}, {@code ENXIO}, {@code EOPNOTSUPP}, {@code
   * ENOMEM}.
   *
   * @param threads for files; what may block for ever (pipes, sockets) keeps the kernel's figure
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/io_uring_register.2.html">io_uring_register(2)
   *     </a>
   */
  void ioUringLimitWorkers(int ringFd, int threads) throws ErrnoException;

  /**
   * Maps the memory of a ring, shared with the kernel and readable and writable. It stays mapped
   * until {@link #unmapRing}, also when the descriptor is closed.
   *
   * <p>{@code ENOMEM}, {@code EINVAL} (no such offset), {@code EBADF}, {@code EAGAIN}.
   *
   * @param offsetBytes {@link #RINGS_OFFSET_BYTES} or {@link #ENTRIES_OFFSET_BYTES}
   * @return memory that any thread may use
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2)</a>
   */
  MemorySegment mapRing(int ringFd, long offsetBytes, long lengthBytes) throws ErrnoException;

  /**
   * Unmaps what {@link #mapRing} mapped; any access after that kills the process.
   *
   * <p>{@code EINVAL} (not such memory).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">munmap(2)</a>
   */
  void unmapRing(MemorySegment memory) throws ErrnoException;
}
