package dev.tailwater.posix;

import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls that change bytes or attributes, or make them durable. All may wait for the disk and are
 * ordinary downcalls. Every errno is thrown as an {@link ErrnoException}, except {@code EINTR},
 * which is retried. {@code EBADF} (not open, or not for writing) and {@code EIO} can come from
 * each.
 */
public interface WriteCalls {
  /**
   * Writes native memory at an offset. After the end, the file grows, with zeros in between. Not
   * durable before {@link #fdatasync}. On a descriptor with {@link OpenFlag#APPEND} Linux ignores
   * the offset and appends.
   *
   * <p>{@code ENOSPC} (nothing was written), {@code EDQUOT}, {@code EFBIG}, {@code EINVAL}
   * (negative offset; not aligned, with {@link OpenFlag#DIRECT}), {@code ESPIPE}, {@code EAGAIN},
   * {@code EPERM} (sealed or immutable).
   *
   * @param source native memory; at most 2,147,479,552 bytes of it are written
   * @return bytes written, which may be fewer than asked for, for instance on a disk that fills up
   * @throws IllegalArgumentException when {@code source} is heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/pwrite.2.html">pwrite(2)</a>
   */
  int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException;

  /**
   * As {@link #pwrite} with flags.
   *
   * <p>Adds: {@code EOPNOTSUPP} (the kernel or the file system does not know a flag; nothing was
   * written), {@code ENOSYS} (before Linux 4.7). With {@link WriteFlag#DATA_SYNC}, {@code EIO},
   * {@code ENOSPC} and {@code EDQUOT} may also come from making the bytes durable, when the page
   * cache has them already: the content of the disk is then unknown until they were written again
   * with success. {@code EINTR} is retried.
   *
   * @return bytes written, which may be fewer than asked for; with {@link WriteFlag#DATA_SYNC}
   *     those are durable
   * @throws IllegalArgumentException when {@code source} is heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/readv.2.html">pwritev2(2)</a>
   */
  int pwritev2(int fd, MemorySegment source, long offsetBytes, Set<WriteFlag> flags)
      throws ErrnoException;

  /**
   * Makes bytes and attributes of a file durable; for a directory, its names.
   *
   * <p>{@code EIO}, {@code ENOSPC}, {@code EDQUOT}: bytes written earlier are lost. The kernel
   * reports this once; a second call may succeed without them, so the caller must write them again.
   * {@code EROFS} and {@code EINVAL} (a kind of file that has no disk), {@code EBADF}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fsync.2.html">fsync(2)</a>
   */
  void fsync(int fd) throws ErrnoException;

  /**
   * As {@link #fsync}, without attributes that are not needed to read the bytes back, such as the
   * time of modification.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fdatasync.2.html">fdatasync(2)</a>
   */
  void fdatasync(int fd) throws ErrnoException;

  /**
   * Reserves space for a range; with flags, punches a hole or zeroes it.
   *
   * <p>{@code ENOSPC}, {@code EDQUOT}, {@code EFBIG}, {@code EOPNOTSUPP} (the file system cannot),
   * {@code EINVAL} (negative offset, or length not positive), {@code ENODEV} and {@code ESPIPE} (no
   * regular file), {@code EPERM} (immutable), {@code ETXTBSY}.
   *
   * @param flags {@link AllocateFlag#PUNCH_HOLE} goes only with {@link AllocateFlag#KEEP_SIZE}
   * @param lengthBytes at least 1
   * @see <a href="https://man7.org/linux/man-pages/man2/fallocate.2.html">fallocate(2)</a>
   */
  void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException;

  /**
   * Sets the size: truncates the file or adds zeros.
   *
   * <p>{@code EINVAL} (negative, not a regular file, or not open for writing), {@code EFBIG},
   * {@code EPERM} (append-only or immutable), {@code ETXTBSY}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ftruncate.2.html">ftruncate(2)</a>
   */
  void truncate(int fd, long sizeBytes) throws ErrnoException;

  /**
   * Sets the permissions. The message calls it {@code chmod}.
   *
   * <p>{@code EPERM} (not the owner), {@code EROFS}, {@code EBADF} (also with {@link
   * OpenFlag#PATH}).
   *
   * @param mode the low 12 bits: permissions, set-user-id, set-group-id, sticky; no umask
   * @see <a href="https://man7.org/linux/man-pages/man2/fchmod.2.html">fchmod(2)</a>
   */
  void changeMode(int fd, int mode) throws ErrnoException;

  /**
   * Sets the time of last modification; the time of last access stays. The file system may store it
   * with less precision. The message calls it {@code utimens}.
   *
   * <p>{@code EPERM} and {@code EACCES} (not the owner), {@code EROFS}.
   *
   * @param nanos of that second: 0 to 999,999,999
   * @throws IllegalArgumentException when {@code nanos} is out of that range
   * @see <a href="https://man7.org/linux/man-pages/man3/futimens.3.html">futimens(3)</a>
   */
  void changeModificationTime(int fd, long secondsSinceEpoch, int nanos) throws ErrnoException;
}
