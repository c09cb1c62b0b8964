package dev.tailwater.posix;

import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Calls that ask about a file or file system, and the advisory lock. Ordinary downcalls: on local
 * file systems they are answered from memory once the inode is there, on remote ones they may wait
 * for the server. Every errno comes out as an {@link ErrnoException}, but {@code EINTR}, which is
 * retried.
 */
public interface StatusCalls {
  /**
   * The status of an open file, also of one that has no name any more.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ESTALE} (NFS: the file is gone from the server).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>
   */
  FileStatus fstat(int fd) throws ErrnoException;

  /**
   * By name, or of {@code dirFd} itself with {@link StatFlag#EMPTY_PATH} and an empty path. Does
   * not mount what automount would, as stat(2) does not.
   *
   * <p>{@code ENOENT} (also for an empty path without the flag), {@code ENOTDIR}, {@code EACCES},
   * {@code ELOOP}, {@code ENAMETOOLONG}, {@code EBADF}, {@code EIO}, {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>
   */
  FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException;

  /**
   * The inode generation: a number that tells a file from an earlier one that had the same inode
   * number. Unsigned, 32 bits. Does not wait.
   *
   * <p>{@code ENOTTY} or {@code EOPNOTSUPP} where the file system has none (tmpfs; some FUSE),
   * {@code EBADF} (also with {@link OpenFlag#PATH}).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioctl.2.html">ioctl(2)</a>,
   *     FS_IOC_GETVERSION in linux/fs.h
   */
  long generation(int fd) throws ErrnoException;

  /**
   * The UUID of the file system that an open file lies on: what stays the same when its disk is
   * attached elsewhere. Answered from memory. Empty where the file system has none or does not
   * tell: before Linux 6.9 all but XFS do not; NFS and FUSE have none. The message calls it {@code
   * fsuuid}.
   *
   * <p>{@code ENOTTY}, {@code EOPNOTSUPP}, {@code EINVAL}, {@code ENOSYS} and {@code EPERM} come
   * out as empty. {@code EBADF} (also with {@link OpenFlag#PATH}), {@code EIO} (XFS that was shut
   * down), {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioctl.2.html">ioctl(2)</a>,
   *     FS_IOC_GETFSUUID in linux/fs.h; <a
   *     href="https://man7.org/linux/man-pages/man2/ioctl_xfs_fsgeometry.2.html">
   *     ioctl_xfs_fsgeometry(2)</a>, XFS_IOC_FSGEOMETRY_V1
   */
  Optional<UUID> fileSystemUuid(int fd) throws ErrnoException;

  /**
   * Kind and space of the file system that an open file lies on.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ENOSYS} (the file system does not tell), {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statfs.2.html">fstatfs(2)</a>
   */
  FileSystemStatus statfs(int fd) throws ErrnoException;

  /**
   * Whether the process's effective user could open the file for writing, whatever the descriptor
   * was opened for. Opens nothing, so that nobody who watches the file hears of it.
   *
   * <p>{@code EACCES}, {@code EPERM}, {@code EROFS} and {@code ETXTBSY} come out as false. {@code
   * EBADF} and {@code ENOENT} (no such descriptor, or /proc is not mounted), {@code EIO}, {@code
   * ESTALE}, {@code ENOSYS}. The message calls it {@code faccessat}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/access.2.html">faccessat(2)</a>
   */
  boolean mayWrite(int fd) throws ErrnoException;

  /**
   * The user whose rights the process has, as in {@link FileStatus#ownerId}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/geteuid.2.html">geteuid(2)</a>
   */
  long effectiveUserId();

  /**
   * How a descriptor is open: {@link OpenFlag#WRITE_ONLY} or {@link OpenFlag#READ_WRITE} (neither:
   * read only), {@link OpenFlag#APPEND}, {@link OpenFlag#NON_BLOCK}, {@link OpenFlag#DATA_SYNC}
   * (also for O_SYNC, which is more), {@link OpenFlag#DIRECT}, {@link OpenFlag#NO_ACCESS_TIME} and
   * {@link OpenFlag#PATH}. Flags that only matter while a file is opened are not kept. Answered
   * from memory. The message calls it {@code fcntl}.
   *
   * <p>{@code EBADF}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fcntl.2.html">fcntl(2)</a>, F_GETFL
   */
  Set<OpenFlag> openFlags(int fd) throws ErrnoException;

  /**
   * What {@link OpenFlag#DIRECT} asks of this file; empty where it is not told: before Linux 6.1,
   * and for kinds of files and file systems that do not report it. The message calls it {@code
   * statx}.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>, STATX_DIOALIGN
   */
  Optional<DirectAlignment> directAlignment(int fd) throws ErrnoException;

  /**
   * Takes an exclusive advisory lock without waiting. It belongs to the open file, not to the
   * process: a second open of the same file in this process is refused too. Closing the last copy
   * of the descriptor frees it, and so does the death of the process.
   *
   * <p>{@code EAGAIN} comes out as false. {@code EBADF}, {@code ENOLCK} (out of memory, or an NFS
   * server without locks), {@code EOPNOTSUPP}. The message calls it {@code flock}.
   *
   * @return false when another open of the file holds it
   * @see <a href="https://man7.org/linux/man-pages/man2/flock.2.html">flock(2)</a>
   */
  boolean tryLock(int fd) throws ErrnoException;
}
