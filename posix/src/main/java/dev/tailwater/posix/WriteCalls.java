package dev.tailwater.posix;

import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls that change bytes or attributes, or make them durable. All are ordinary downcalls that may
 * wait for the disk. Every errno is thrown as an {@link ErrnoException}, except {@code EINTR},
 * which is retried. Each of them can throw {@code EBADF} (not open, or not for writing) and {@code
 * EIO}.
 */
public interface WriteCalls {
  /**
   * Writes native memory at an offset. A write beyond the end extends the file, with zeros in
   * between. The bytes are durable only after {@link #fdatasync}. On a descriptor with {@link
   * OpenFlag#APPEND} Linux ignores the offset and appends.
   *
   * <p>{@code ENOSPC} (nothing was written), {@code EDQUOT}, {@code EFBIG}, {@code EINVAL}
   * (negative offset; not aligned, with {@link OpenFlag#DIRECT}), {@code ESPIPE}, {@code EAGAIN},
   * {@code EPERM} (sealed or immutable).
   *
   * @param source native memory; at most 2,147,479,552 bytes of it are written
   * @return the number of bytes written, which may be less than requested, for example if the disk
   *     becomes full
   * @throws IllegalArgumentException if {@code source} is heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/pwrite.2.html">pwrite(2)</a>
   */
  int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException;

  /**
   * Writes like {@link #pwrite}, with flags.
   *
   * <p>Adds: {@code EOPNOTSUPP} (the kernel or the file system does not know a flag; nothing was
   * written), {@code ENOSYS} (before Linux 4.7). With {@link WriteFlag#DATA_SYNC}, {@code EIO},
   * {@code ENOSPC} and {@code EDQUOT} may also occur while the bytes are made durable, after they
   * entered the page cache. The content of the disk is then unknown until the bytes have been
   * written again successfully. {@code EINTR} is retried.
   *
   * @return the number of bytes written, which may be less than requested; with {@link
   *     WriteFlag#DATA_SYNC}, these are durable
   * @throws IllegalArgumentException if {@code source} is heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/readv.2.html">pwritev2(2)</a>
   */
  int pwritev2(int fd, MemorySegment source, long offsetBytes, Set<WriteFlag> flags)
      throws ErrnoException;

  /**
   * Makes the bytes and attributes of a file durable; for a directory, its entries.
   *
   * <p>{@code EIO}, {@code ENOSPC}, {@code EDQUOT}: bytes written earlier are lost. The kernel
   * reports this once; a second call may succeed without them, so the caller must write them again.
   * {@code EROFS} and {@code EINVAL} (a type of file that is not on a disk), {@code EBADF}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fsync.2.html">fsync(2)</a>
   */
  void fsync(int fd) throws ErrnoException;

  /**
   * Makes the bytes of a file durable, like {@link #fsync}, but not the attributes that are not
   * needed to read the bytes back, such as the modification time.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fdatasync.2.html">fdatasync(2)</a>
   */
  void fdatasync(int fd) throws ErrnoException;

  /**
   * Makes everything durable that was written to the file system of an open file, by whomever: for
   * many files it takes little longer than {@link #fsync} of one.
   *
   * <p>{@code EIO}, {@code ENOSPC}, {@code EDQUOT}: bytes of some file are lost, written since this
   * file was opened. Linux before 5.8 does not report that. {@code EBADF}, {@code ENOSYS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/sync.2.html">syncfs(2)</a>
   */
  void syncFileSystem(int fd) throws ErrnoException;

  /**
   * Reserves space for a range; with flags, deallocates the range or fills it with zeros.
   *
   * <p>{@code ENOSPC}, {@code EDQUOT}, {@code EFBIG}, {@code EOPNOTSUPP} (the file system does not
   * support it), {@code EINVAL} (negative offset, or length not positive), {@code ENODEV} and
   * {@code ESPIPE} (not a regular file), {@code EPERM} (immutable), {@code ETXTBSY}.
   *
   * @param flags {@link AllocateFlag#PUNCH_HOLE} requires {@link AllocateFlag#KEEP_SIZE}
   * @param lengthBytes at least 1
   * @see <a href="https://man7.org/linux/man-pages/man2/fallocate.2.html">fallocate(2)</a>
   */
  void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException;

  /**
   * Sets the size of a file: cuts it off, or extends it with zeros.
   *
   * <p>{@code EINVAL} (negative, not a regular file, or not open for writing), {@code EFBIG},
   * {@code EPERM} (append-only or immutable), {@code ETXTBSY}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ftruncate.2.html">ftruncate(2)</a>
   */
  void truncate(int fd, long sizeBytes) throws ErrnoException;

  /**
   * Sets the permissions of a file. The message calls it {@code chmod}.
   *
   * <p>{@code EPERM} (not the owner), {@code EROFS}, {@code EBADF} (also with {@link
   * OpenFlag#PATH}: see {@link #changeReferencedMode}).
   *
   * @param mode the low 12 bits: permissions, set-user-id, set-group-id, sticky; the umask is not
   *     applied
   * @see <a href="https://man7.org/linux/man-pages/man2/fchmod.2.html">fchmod(2)</a>
   */
  void changeMode(int fd, int mode) throws ErrnoException;

  /**
   * Sets the permissions of what a descriptor refers to that was opened with {@link OpenFlag#PATH},
   * as of a file that its owner may not open. Needs /proc. The message calls it {@code chmod}.
   *
   * <p>{@code EPERM} (not the owner), {@code EROFS}, {@code EBADF} (not open, or there is no
   * /proc), {@code EOPNOTSUPP} (a symbolic link; before Linux 6.6 some file systems change the mode
   * of the link itself, which means nothing, with or without that error).
   *
   * @param mode as of {@link #changeMode}
   * @see <a href="https://man7.org/linux/man-pages/man2/open.2.html">open(2), O_PATH</a>
   */
  void changeReferencedMode(int fd, int mode) throws ErrnoException;

  /**
   * Sets the owner of a file. The kernel may take set-user-id and set-group-id bits away. The
   * message calls it {@code chown}.
   *
   * <p>{@code EPERM} (not permitted), {@code EINVAL} (an id that the user namespace does not map),
   * {@code EROFS}, {@code EBADF} (also with {@link OpenFlag#PATH}).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/chown.2.html">fchown(2)</a>
   */
  void changeOwner(int fd, long userId, long groupId) throws ErrnoException;

  /**
   * Sets the modification time of a file; the access time is unchanged. The file system may store
   * it with less precision. The message calls it {@code utimens}.
   *
   * <p>{@code EPERM} and {@code EACCES} (not the owner), {@code EROFS}.
   *
   * @param nanos the nanoseconds within that second, 0 to 999,999,999
   * @throws IllegalArgumentException if {@code nanos} is out of that range
   * @see <a href="https://man7.org/linux/man-pages/man3/futimens.3.html">futimens(3)</a>
   */
  void changeModificationTime(int fd, long secondsSinceEpoch, int nanos) throws ErrnoException;
}
