package dev.tailwater.posix;

import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ReadFlag;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls that read bytes, and calls that query or advise the page cache. They neither use nor move
 * the position of the descriptor. Every errno is thrown as an {@link ErrnoException}.
 */
public interface ReadCalls {
  /** The maximum length of one {@link #preadCritical}, in bytes. */
  int MAX_CRITICAL_BYTES = 256 * 1024;

  /**
   * Reads into native memory. An ordinary downcall that waits for the disk. Allocates nothing on
   * the Java heap.
   *
   * <p>{@code EIO} (the medium, or a lost connection), {@code EISDIR}, {@code ESPIPE} (a pipe or
   * socket), {@code EINVAL} (negative offset; not aligned, with {@link OpenFlag#DIRECT}), {@code
   * EBADF} (not open for reading), {@code EAGAIN}, {@code ENOMEM}, {@code ESTALE}. {@code EINTR} is
   * retried.
   *
   * @param target native memory; the call requests as many bytes as fit, but at most 2,147,479,552
   * @return the number of bytes read, which may be less than the target can hold; 0 at or beyond
   *     the end of the file
   * @throws IllegalArgumentException if {@code target} is heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/pread.2.html">pread(2)</a>
   */
  int pread(int fd, MemorySegment target, long offsetBytes) throws ErrnoException;

  /**
   * Reads straight into a heap array by a <em>critical</em> downcall: no garbage collection can
   * happen while it runs. Use it only for data in the page cache of a local file system, where it
   * takes as long as copying the bytes. For other data it delays every thread that waits for the
   * garbage collector.
   *
   * <p>Throws the same errors as {@link #pread}; the message calls it {@code pread} too.
   *
   * @param lengthBytes at most {@value #MAX_CRITICAL_BYTES}
   * @return the number of bytes read into {@code target} from index {@code from} on; 0 at or beyond
   *     the end of the file
   * @throws IndexOutOfBoundsException if the array does not have that range
   * @throws IllegalArgumentException if {@code lengthBytes} is over the limit
   * @see <a href="https://man7.org/linux/man-pages/man2/pread.2.html">pread(2)</a>
   */
  int preadCritical(int fd, byte[] target, int from, int lengthBytes, long offsetBytes)
      throws ErrnoException;

  /**
   * Reads like {@link #pread}, with flags. Does not wait with {@link ReadFlag#NO_WAIT}.
   *
   * <p>Adds: {@code EAGAIN} (with {@link ReadFlag#NO_WAIT}: the first byte is not resident), {@code
   * EOPNOTSUPP} (the kernel or the file system does not know a flag), {@code ENOSYS} (before Linux
   * 4.6). {@code EINTR} is retried.
   *
   * @return the number of bytes read; with {@link ReadFlag#NO_WAIT}, only those before the first
   *     byte that is not resident
   * @see <a href="https://man7.org/linux/man-pages/man2/readv.2.html">preadv2(2)</a>
   */
  int preadv2(int fd, MemorySegment target, long offsetBytes, Set<ReadFlag> flags)
      throws ErrnoException;

  /**
   * Tells the kernel how a range will be used. {@link Advice#WILL_NEED} starts reading and does not
   * wait, unless the disk's queue is full; {@link Advice#DONT_NEED} drops clean pages that lie
   * entirely in the range.
   *
   * <p>{@code EBADF}, {@code EINVAL} (negative length), {@code ESPIPE} (a pipe), {@code ENOSYS} (a
   * kernel without advice, or a sandbox). {@link FileAdvice} does without.
   *
   * @param lengthBytes 0 for everything up to the end
   * @see <a href="https://man7.org/linux/man-pages/man2/posix_fadvise.2.html">posix_fadvise(2)</a>
   */
  void fadvise(int fd, long offsetBytes, long lengthBytes, Advice advice) throws ErrnoException;

  /**
   * Returns how many pages of a range are in the page cache, and their state. Does not wait for the
   * disk and loads nothing into the cache.
   *
   * <p>{@code EPERM} (on newer kernels, seen on 6.18: the process neither owns the file nor may
   * write it. This means nothing for other files, and {@link ReadFlag#NO_WAIT} still works on this
   * one. A seccomp profile that is older than the call may cause it for every file), {@code EBADF},
   * {@code EOPNOTSUPP} (hugetlbfs), {@code ENOSYS} (before Linux 6.5).
   *
   * @param lengthBytes 0 for everything up to the end
   * @see <a href="https://github.com/torvalds/linux/blob/v6.12/mm/filemap.c">cachestat(2): the
   *     comment at its definition in mm/filemap.c</a>
   */
  CacheStatistics cachestat(int fd, long offsetBytes, long lengthBytes) throws ErrnoException;
}
