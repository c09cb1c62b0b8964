package dev.tailwater.posix;

import dev.tailwater.posix.value.OpenFlag;
import java.util.OptionalLong;

/**
 * Calls about ranges of a file: which of them hold data, and copies inside the kernel. All may wait
 * for the disk and are ordinary downcalls. Every errno is thrown as an {@link ErrnoException},
 * except {@code EINTR}, which is retried.
 */
public interface RangeCalls {
  /**
   * Returns the first offset, from the given one on, with data that is not a hole. A file system
   * without holes reports everything as data. Moves the position of the descriptor, which no other
   * call here uses. The message calls it {@code lseek}.
   *
   * <p>{@code ENXIO} comes out as empty: nothing but a hole up to the end, or the offset is at the
   * end or behind it. {@code EINVAL} (the kernel does not know SEEK_DATA), {@code ESPIPE} (a pipe,
   * FIFO or socket), {@code EBADF}; a negative offset is {@code ENXIO} to Linux and refused here.
   *
   * @throws IllegalArgumentException when the offset is negative
   * @see <a href="https://man7.org/linux/man-pages/man2/lseek.2.html">lseek(2), SEEK_DATA</a>
   */
  OptionalLong seekData(int fd, long offsetBytes) throws ErrnoException;

  /**
   * Returns the first offset, from the given one on, at which a hole begins; the end of the file
   * counts as a hole. Moves the position of the descriptor, which no other call here uses. The
   * message calls it {@code lseek}.
   *
   * <p>{@code ENXIO} comes out as empty: the offset is at the end or behind it. The rest as {@link
   * #seekData}.
   *
   * @throws IllegalArgumentException when the offset is negative
   * @see <a href="https://man7.org/linux/man-pages/man2/lseek.2.html">lseek(2), SEEK_HOLE</a>
   */
  OptionalLong seekHole(int fd, long offsetBytes) throws ErrnoException;

  /**
   * Copies from one file to another inside the kernel; where the file system can, the blocks are
   * shared instead (btrfs, xfs) or the server copies (NFS 4.2, SMB). The positions of the
   * descriptors are neither used nor moved. A large length may take long and cannot be interrupted
   * but by a signal that kills. The message calls it {@code copy_file_range}.
   *
   * <p>{@code EXDEV} (two file systems that cannot copy to each other), {@code EOPNOTSUPP} and
   * {@code EINVAL} (the file system or the kind of file cannot; ranges of one file that overlap),
   * {@code ENOSYS} (before Linux 4.5), {@code EPERM} and {@code ETXTBSY} (immutable, or swap): the
   * caller can read and write instead. {@code EBADF} (not open for reading and for writing, or the
   * target is open with {@link OpenFlag#APPEND}), {@code EISDIR}, {@code EFBIG}, {@code ENOSPC},
   * {@code EDQUOT}, {@code EIO}, {@code ENOMEM}.
   *
   * @param lengthBytes at most 2,147,479,552 bytes of it are copied
   * @return bytes copied, which may be fewer than asked for; 0 at the end of the source. Some file
   *     systems without sizes, such as proc, say 0 though there is something to read
   * @see <a href="https://man7.org/linux/man-pages/man2/copy_file_range.2.html">
   *     copy_file_range(2)</a>
   */
  long copyFileRange(
      int fromFd, long fromOffsetBytes, int toFd, long toOffsetBytes, long lengthBytes)
      throws ErrnoException;
}
