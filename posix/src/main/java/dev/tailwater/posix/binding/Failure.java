package dev.tailwater.posix.binding;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;

/** Exceptions and their texts for failed calls. */
public final class Failure {
  private Failure() {}

  /** Creates the exception for an errno; for ENOSYS, with what the system must have. */
  public static ErrnoException of(String operation, String subject, int errnoNumber) {
    String text = Errno.of(errnoNumber).text();
    if (errnoNumber == Errno.ENOSYS.number()) {
      text += neededFor(operation);
    }
    return new ErrnoException(operation, subject, errnoNumber, text);
  }

  private static String neededFor(String operation) {
    return switch (operation) {
      case "openat2" -> "; needs Linux 5.6";
      case "copy_file_range" -> "; needs Linux 4.5 and glibc 2.27";
      case "cachestat" -> "; needs Linux 6.5";
      case "pwritev2" -> "; needs Linux 4.7 and glibc 2.26";
      case "preadv2" -> "; needs Linux 4.6 and glibc 2.26";
      case "statx" -> "; needs Linux 4.11 and glibc 2.28";
      case "rename" -> "; needs Linux 3.15 and glibc 2.28";
      case "fanotify_init", "fanotify_mark" -> "; needs a kernel with CONFIG_FANOTIFY";
      case "io_uring_setup" -> "; needs Linux 5.1 and a kernel and seccomp profile that have it";
      case "entries" -> "; needs glibc 2.30";
      default -> "";
    };
  }

  /**
   * Returns a path for a message, with the descriptor of its directory if it is relative to one.
   */
  public static String subject(int dirFd, PosixPath path) {
    if (dirFd == NameCalls.AT_FDCWD || path.isAbsolute()) {
      return path.toString();
    }
    return path.isEmpty() ? "fd " + dirFd : "fd " + dirFd + "/" + path;
  }
}
