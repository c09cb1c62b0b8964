package dev.tailwater.posix;

import dev.tailwater.posix.value.OpenFlag;
import java.util.OptionalLong;

/**
 * Calls for ranges of a file: finding data and holes, and copying inside the kernel. All are
 * ordinary downcalls that may wait for the disk. Every errno is thrown as an {@link
 * ErrnoException}, except {@code EINTR}, which is retried.
 */
public interface RangeCalls {
  /**
   * Returns the first offset, at or after the given one, that holds data and is not in a hole. A
   * file system without holes reports everything as data. Moves the position of the descriptor,
   * which no other call of this module uses. The message calls it {@code lseek}.
   *
   * <p>{@code ENXIO} is returned as empty: only a hole is left up to the end, or the offset is at
   * or beyond the end. {@code EINVAL} (the kernel does not know SEEK_DATA), {@code ESPIPE} (a pipe,
   * FIFO or socket), {@code EBADF}; a negative offset would be {@code ENXIO} on Linux and is
   * refused here.
   *
   * @throws IllegalArgumentException if the offset is negative
   * @see <a href="https://man7.org/linux/man-pages/man2/lseek.2.html">lseek(2), SEEK_DATA</a>
   */
  OptionalLong seekData(int fd, long offsetBytes) throws ErrnoException;

  /**
   * Returns the first offset, at or after the given one, that lies in a hole; the end of the file
   * counts as a hole. Moves the position of the descriptor, which no other call of this module
   * uses. The message calls it {@code lseek}.
   *
   * <p>{@code ENXIO} is returned as empty: the offset is at or beyond the end. Other errors as in
   * {@link #seekData}.
   *
   * @throws IllegalArgumentException if the offset is negative
   * @see <a href="https://man7.org/linux/man-pages/man2/lseek.2.html">lseek(2), SEEK_HOLE</a>
   */
  OptionalLong seekHole(int fd, long offsetBytes) throws ErrnoException;

  /**
   * Copies from one file to another inside the kernel. Where the file system supports it, the files
   * share the blocks instead (btrfs, xfs), or the server copies (NFS 4.2, SMB). The positions of
   * the descriptors are neither used nor moved. A copy of a large range may take long, and only a
   * fatal signal interrupts it. The message calls it {@code copy_file_range}.
   *
   * <p>{@code EXDEV} (two file systems that cannot copy to each other), {@code EOPNOTSUPP} and
   * {@code EINVAL} (the file system or the type of file does not support it; or the ranges overlap
   * in one file), {@code ENOSYS} (before Linux 4.5), {@code EPERM} and {@code ETXTBSY} (immutable,
   * or swap). In all these cases, the caller can read and write instead. {@code EBADF} (not open
   * for reading and for writing, or the target is open with {@link OpenFlag#APPEND}), {@code
   * EISDIR}, {@code EFBIG}, {@code ENOSPC}, {@code EDQUOT}, {@code EIO}, {@code ENOMEM}.
   *
   * @param lengthBytes at most 2,147,479,552 bytes of it are copied
   * @return the number of bytes copied, which may be less than requested; 0 at the end of the
   *     source. Some file systems without file sizes, such as proc, return 0 although there is data
   *     to read
   * @see <a href="https://man7.org/linux/man-pages/man2/copy_file_range.2.html">
   *     copy_file_range(2)</a>
   */
  long copyFileRange(
      int fromFd, long fromOffsetBytes, int toFd, long toOffsetBytes, long lengthBytes)
      throws ErrnoException;
}
