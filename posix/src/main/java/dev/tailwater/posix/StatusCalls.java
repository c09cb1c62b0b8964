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
 * Calls that query a file or file system, and the advisory lock. All are ordinary downcalls. Local
 * file systems answer them from memory once the inode is loaded; remote ones may wait for the
 * server. Every errno is thrown as an {@link ErrnoException}, except {@code EINTR}, which is
 * retried.
 */
public interface StatusCalls {
  /**
   * Returns the status of an open file, which may have no name any more.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ESTALE} (NFS: the file is gone from the server).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>
   */
  FileStatus fstat(int fd) throws ErrnoException;

  /**
   * Returns the status of a file by name, or of {@code dirFd} itself with {@link
   * StatFlag#EMPTY_PATH} and an empty path. Like stat(2), does not trigger an automount.
   *
   * <p>{@code ENOENT} (also for an empty path without the flag), {@code ENOTDIR}, {@code EACCES},
   * {@code ELOOP}, {@code ENAMETOOLONG}, {@code EBADF}, {@code EIO}, {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>
   */
  FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException;

  /**
   * Returns the inode generation: an unsigned 32-bit number that distinguishes a file from an
   * earlier one with the same inode number. Does not wait.
   *
   * <p>{@code ENOTTY} or {@code EOPNOTSUPP} where the file system has none (tmpfs; some FUSE),
   * {@code EBADF} (also with {@link OpenFlag#PATH}).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioctl.2.html">ioctl(2)</a>,
   *     FS_IOC_GETVERSION in linux/fs.h
   */
  long generation(int fd) throws ErrnoException;

  /**
   * Returns the UUID of an open file's file system. The UUID stays the same when the disk is
   * attached elsewhere. The kernel answers from memory. Empty if the file system has none or does
   * not report it: before Linux 6.9, only XFS does; NFS and FUSE have none. The message calls it
   * {@code fsuuid}.
   *
   * <p>{@code ENOTTY}, {@code EOPNOTSUPP}, {@code EINVAL}, {@code ENOSYS} and {@code EPERM} are
   * returned as empty. {@code EBADF} (also with {@link OpenFlag#PATH}), {@code EIO} (an XFS that
   * was shut down), {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/ioctl.2.html">ioctl(2)</a>,
   *     FS_IOC_GETFSUUID in linux/fs.h; <a
   *     href="https://man7.org/linux/man-pages/man2/ioctl_xfs_fsgeometry.2.html">
   *     ioctl_xfs_fsgeometry(2)</a>, XFS_IOC_FSGEOMETRY_V1
   */
  Optional<UUID> fileSystemUuid(int fd) throws ErrnoException;

  /**
   * Returns the type, the space and the limits of an open file's file system.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ENOSYS} (the file system does not support the call),
   * {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statfs.2.html">fstatfs(2)</a>
   */
  FileSystemStatus statfs(int fd) throws ErrnoException;

  /**
   * Returns whether the process's effective user could open the file for writing, however the
   * descriptor was opened. Opens nothing, so it causes no event for watchers of the file.
   *
   * <p>{@code EACCES}, {@code EPERM}, {@code EROFS} and {@code ETXTBSY} are returned as false.
   * {@code EBADF} and {@code ENOENT} (no such descriptor, or /proc is not mounted), {@code EIO},
   * {@code ESTALE}, {@code ENOSYS}. The message calls it {@code faccessat}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/access.2.html">faccessat(2)</a>
   */
  boolean mayWrite(int fd) throws ErrnoException;

  /**
   * Returns the effective user id of the process, comparable with {@link FileStatus#ownerId}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/geteuid.2.html">geteuid(2)</a>
   */
  long effectiveUserId();

  /**
   * Returns the access mode and the flags of an open descriptor: {@link OpenFlag#WRITE_ONLY} or
   * {@link OpenFlag#READ_WRITE} (neither means read-only), {@link OpenFlag#APPEND}, {@link
   * OpenFlag#NON_BLOCK}, {@link OpenFlag#DATA_SYNC} (also for O_SYNC, which includes it), {@link
   * OpenFlag#DIRECT}, {@link OpenFlag#NO_ACCESS_TIME} and {@link OpenFlag#PATH}. The kernel does
   * not keep flags that matter only for the open itself. It answers from memory. The message calls
   * it {@code fcntl}.
   *
   * <p>{@code EBADF}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fcntl.2.html">fcntl(2)</a>, F_GETFL
   */
  Set<OpenFlag> openFlags(int fd) throws ErrnoException;

  /**
   * Returns the alignment that {@link OpenFlag#DIRECT} requires for this file; empty before Linux
   * 6.1, and for files and file systems that do not report it. The message calls it {@code statx}.
   *
   * <p>{@code EBADF}, {@code EIO}, {@code ESTALE}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/statx.2.html">statx(2)</a>, STATX_DIOALIGN
   */
  Optional<DirectAlignment> directAlignment(int fd) throws ErrnoException;

  /**
   * Takes an exclusive advisory lock without waiting. The lock belongs to the open file, not to the
   * process: if this process opens the same file a second time, the second lock is refused too.
   * Closing the last copy of the descriptor releases the lock, as does the end of the process.
   *
   * <p>{@code EAGAIN} is returned as false. {@code EBADF}, {@code ENOLCK} (out of memory, or an NFS
   * server without locks), {@code EOPNOTSUPP}. The message calls it {@code flock}.
   *
   * @return false if another open of the file holds the lock
   * @see <a href="https://man7.org/linux/man-pages/man2/flock.2.html">flock(2)</a>
   */
  boolean tryLock(int fd) throws ErrnoException;
}
