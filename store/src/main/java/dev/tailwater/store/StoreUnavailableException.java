package dev.tailwater.store;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * Thrown when the directory or a file in it cannot be used: permissions, a read-only file system,
 * no space.
 */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** For the store in this directory, for this reason. */
  public StoreUnavailableException(PosixPath directory, ErrnoException cause) {
    super(
        "cannot use the store directory " + directory + ": " + ErrnoException.messageForUser(cause),
        hintFor(directory, cause),
        cause);
  }

  private static String hintFor(PosixPath directory, ErrnoException cause) {
    return switch (cause.errno()) {
      case EROFS ->
          "The file system is mounted read-only. Choose a directory on one that can be written.";
      case EACCES, EPERM ->
          "Give this user the right to write there (ls -ld " + directory + "), or choose another.";
      case ENOSPC, EDQUOT -> "Free some space there, or choose a directory that has some.";
      case EMFILE, ENFILE ->
          "Raise the limit of open files (ulimit -n, LimitNOFILE): each data file takes one.";
      case ENOTDIR -> "A part of this path is a file. Choose another directory.";
      case ENOENT -> "There is no such store. Check the path.";
      default -> "Choose another directory, or look for disk errors in the kernel's log.";
    };
  }
}
