package dev.tailwater.posix;

import java.util.Set;

/** Calls that ask about a file or file system, and the advisory lock. */
public interface StatusCalls {
  FileStatus fstat(int fd) throws ErrnoException;

  /** By name, or of {@code dirFd} itself with {@link StatFlag#EMPTY_PATH} and an empty path. */
  FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException;

  /** The inode generation; {@link Errno#ENOTTY} where the file system has none. */
  long generation(int fd) throws ErrnoException;

  FileSystemStatus statfs(int fd) throws ErrnoException;

  /** Takes an exclusive advisory lock without waiting; false when somebody else holds it. */
  boolean tryLock(int fd) throws ErrnoException;
}
