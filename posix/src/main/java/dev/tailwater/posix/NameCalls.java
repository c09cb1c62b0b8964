package dev.tailwater.posix;

import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Calls that turn names into descriptors, or change names.
 *
 * <p>A relative path starts at the directory {@code dirFd}, or at the working directory with {@link
 * #AT_FDCWD}; for an absolute path {@code dirFd} is ignored. All calls are ordinary downcalls that
 * wait for the file system of the directory.
 *
 * <p>Every errno is thrown as an {@link ErrnoException}. Every call that resolves a path can throw:
 * {@code ENOENT} (a component is missing), {@code ENOTDIR} (one is not a directory), {@code EACCES}
 * (a directory may not be searched), {@code ELOOP} (too many symbolic links), {@code ENAMETOOLONG}
 * (a component over 255 bytes, or a path over 4095), {@code EBADF} ({@code dirFd} is not open),
 * {@code ENOMEM}, {@code EIO}, and {@code ESTALE} on NFS. Each method lists what it adds.
 *
 * <p>Calls that change no name retry {@code EINTR}. The others get it only on FUSE and some network
 * mounts, and throw it: it is then unknown whether the name was changed, and a retry could not find
 * out.
 */
public interface NameCalls {
  /** A value for {@code dirFd}: relative paths start at the working directory of the process. */
  int AT_FDCWD = -100;

  /**
   * Opens a file; creates it first with {@link OpenFlag#CREATE}. Close-on-exec is always set.
   * Opening a FIFO without {@link OpenFlag#NON_BLOCK} waits for its other end.
   *
   * <p>Adds: {@code EEXIST} (with {@link OpenFlag#EXCLUSIVE}), {@code EISDIR} (a directory that is
   * opened for writing), {@code ELOOP} (a symbolic link, with {@link OpenFlag#NO_FOLLOW}), {@code
   * EPERM} ({@link OpenFlag#NO_ACCESS_TIME} on a file of another user), {@code EINVAL} ({@link
   * OpenFlag#DIRECT} if the file system does not support it), {@code EMFILE}, {@code ENFILE},
   * {@code ENOSPC}, {@code EDQUOT}, {@code EROFS}, {@code ETXTBSY}, {@code ENXIO}. {@code EINTR} is
   * retried.
   *
   * @param mode the permissions of a new file, before the umask of the process is applied; ignored
   *     if the file exists
   * @return the descriptor, which the caller closes
   * @see <a href="https://man7.org/linux/man-pages/man2/open.2.html">open(2)</a>
   */
  int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException;

  /**
   * Opens a file like {@link #open}, but restricts where the path may lead.
   *
   * <p>Adds to {@link #open}: {@code EXDEV} (the path leads out of {@code dirFd}, with {@link
   * ResolveFlag#BENEATH}, or to another mount, with {@link ResolveFlag#NO_CROSS_DEVICE}), {@code
   * ELOOP} (the path contains a symbolic link that is not allowed), {@code EAGAIN} (a concurrent
   * rename prevented the check; the caller may try again), {@code ENOSYS} (before Linux 5.6, and in
   * sandboxes that hide the call), {@code EPERM} (also in sandboxes that are older than the call).
   * {@code EINTR} is retried. The message calls it {@code openat2}.
   *
   * <p>Where the call is missing, {@link ResolveFlag#BENEATH} together with {@link
   * ResolveFlag#NO_SYMLINKS} still works: the path is then opened one component at a time, and
   * {@code ..} is {@code EXDEV}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/openat2.2.html">openat2(2)</a>
   */
  int openBeneath(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException;

  /**
   * Closes a descriptor. Its number is free afterwards, even if the call fails. Never close it
   * again: the number may already belong to another thread. On NFS the call waits for a flush.
   *
   * <p>{@code EBADF} (it is not open). {@code EIO}, {@code ENOSPC}, {@code EDQUOT}: earlier writes
   * were lost; only {@link WriteCalls#fsync} reports this reliably. {@code EINTR} counts as success
   * and is never retried, since Linux has freed the descriptor already.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/close.2.html">close(2)</a>
   */
  void close(int fd) throws ErrnoException;

  /**
   * Closes a descriptor as {@link #close(int)} does.
   *
   * @param path of its file, for whoever reports a failure
   */
  default void close(int fd, PosixPath path) throws ErrnoException {
    close(fd);
  }

  /**
   * Renames a file atomically. Replaces an existing file with the new name, unless a flag prevents
   * it. The rename is durable once the directories are synced.
   *
   * <p>Adds: {@code EEXIST} (with {@link RenameFlag#NO_REPLACE}), {@code EXDEV} (another file
   * system), {@code EISDIR}, {@code ENOTDIR}, {@code ENOTEMPTY} (the new name is a directory that
   * is not empty), {@code EINVAL} (a directory into itself, or a flag that the file system does not
   * support), {@code EBUSY}, {@code EPERM} (sticky directory), {@code ENOSPC}, {@code EDQUOT},
   * {@code EMLINK}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/rename.2.html">renameat2(2)</a>
   */
  void rename(int fromDirFd, PosixPath from, int toDirFd, PosixPath to, Set<RenameFlag> flags)
      throws ErrnoException;

  /**
   * Creates a hard link: a second name for a file. If {@code from} is a symbolic link, the link
   * itself gets the second name; it is not followed.
   *
   * <p>Adds: {@code EEXIST}, {@code EXDEV} (another file system), {@code EPERM} (a directory, or a
   * file system without links, or fs.protected_hardlinks), {@code EMLINK}, {@code ENOSPC}, {@code
   * EDQUOT}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/link.2.html">linkat(2)</a>
   */
  void link(int fromDirFd, PosixPath from, int toDirFd, PosixPath to) throws ErrnoException;

  /**
   * Gives an open file a name, above all one that was opened with {@link OpenFlag#UNNAMED}. Before
   * Linux 6.10, a process without CAP_DAC_READ_SEARCH needs /proc for it.
   *
   * <p>Adds: {@code EEXIST}, {@code EXDEV} (another file system), {@code ENOENT} (its last name was
   * removed, or there is no /proc), {@code EPERM} (as for {@link #link}), {@code EMLINK}, {@code
   * ENOSPC}, {@code EDQUOT}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/link.2.html">linkat(2)</a>
   */
  void linkOpenFile(int fd, int dirFd, PosixPath path) throws ErrnoException;

  /**
   * Removes a name. The file goes away with its last name and its last descriptor.
   *
   * <p>Adds: {@code EISDIR} (use {@link #removeDirectory}), {@code EPERM} (sticky directory, or
   * immutable file), {@code EBUSY}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/unlink.2.html">unlinkat(2)</a>
   */
  void unlink(int dirFd, PosixPath path) throws ErrnoException;

  /**
   * Removes an empty directory. The message calls it {@code rmdir}.
   *
   * <p>Adds: {@code ENOTEMPTY}, {@code ENOTDIR} (not a directory), {@code EBUSY} (mounted on),
   * {@code EINVAL} (the path ends in a dot), {@code EPERM}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/rmdir.2.html">rmdir(2)</a>
   */
  void removeDirectory(int dirFd, PosixPath path) throws ErrnoException;

  /**
   * Creates a directory. The message calls it {@code mkdir}.
   *
   * <p>Adds: {@code EEXIST} (the name exists), {@code EMLINK}, {@code ENOSPC}, {@code EDQUOT},
   * {@code EROFS}.
   *
   * @param mode the permissions, before the umask of the process is applied
   * @see <a href="https://man7.org/linux/man-pages/man2/mkdir.2.html">mkdirat(2)</a>
   */
  void makeDirectory(int dirFd, PosixPath path, int mode) throws ErrnoException;

  /**
   * Creates a symbolic link, whatever its target leads to. The message calls it {@code symlink}.
   *
   * <p>Adds: {@code EEXIST} (the name exists), {@code EPERM} (a file system without links), {@code
   * ENOSPC}, {@code EDQUOT}, {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/symlink.2.html">symlinkat(2)</a>
   */
  void symbolicLink(PosixPath target, int dirFd, PosixPath path) throws ErrnoException;

  /**
   * Sets the owner of what has this name; of a symbolic link, that of the link itself. The message
   * calls it {@code chown}.
   *
   * <p>Adds: {@code EPERM} (not permitted), {@code EINVAL} (an id that the user namespace does not
   * map), {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/chown.2.html">fchownat(2)</a>
   */
  void changeOwner(int dirFd, PosixPath path, long userId, long groupId) throws ErrnoException;

  /**
   * Sets the modification time of what has this name; of a symbolic link, that of the link itself.
   * The message calls it {@code utimens}.
   *
   * <p>Adds: {@code EPERM} and {@code EACCES} (not the owner), {@code EROFS}.
   *
   * @param nanos the nanoseconds within that second, 0 to 999,999,999
   * @throws IllegalArgumentException if {@code nanos} is out of that range
   * @see <a href="https://man7.org/linux/man-pages/man2/utimensat.2.html">utimensat(2)</a>
   */
  void changeModificationTime(int dirFd, PosixPath path, long secondsSinceEpoch, int nanos)
      throws ErrnoException;

  /**
   * Returns the target of a symbolic link: at most 4096 bytes, which no link on Linux exceeds. With
   * an empty path, reads the link that {@code dirFd} stands for; it must have been opened with
   * {@link OpenFlag#PATH} and {@link OpenFlag#NO_FOLLOW}. The message calls it {@code readlink}.
   *
   * <p>Adds: {@code EINVAL} (not a symbolic link).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/readlink.2.html">readlinkat(2)</a>
   */
  PosixPath readLink(int dirFd, PosixPath path) throws ErrnoException;

  /**
   * Returns all entries of an open directory except {@code .} and {@code ..}, in the kernel's
   * order. Each call reads from the start. Names that are added or removed during the call may be
   * listed or not. Moves the position of {@code dirFd}, so two threads must not read one descriptor
   * at once.
   *
   * <p>{@code ENOTDIR}, {@code ENOENT} (the directory was removed), {@code EBADF} (also for one
   * opened with {@link OpenFlag#PATH}), {@code EIO}, {@code ESTALE}. {@code EINTR} is retried.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/getdents.2.html">getdents64(2)</a>
   */
  List<DirectoryEntry> entries(int dirFd) throws ErrnoException;

  /**
   * Passes each entry of an open directory to a visitor, like {@link #entries(int)}, but with
   * constant memory however long the directory is.
   *
   * @param visitor is called during the listing; it must not list the same descriptor
   */
  void entries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException;

  /**
   * Passes the next entries of an open directory to a visitor, as many as fit 32 KiB of the
   * kernel's records: hundreds. Begins where the last call for this descriptor ended; a directory
   * that was just opened begins at its start. So a long directory can be listed between other work.
   * Otherwise like {@link #entries(int, Consumer)}.
   *
   * @return false at the end of the directory; then nothing was passed
   */
  boolean nextEntries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException;
}
