package dev.tailwater.posix.binding;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;

/** Words for failed calls. */
public final class Failure {
  private Failure() {}

  /** The exception for an errno, with what is needed where the system does not know the call. */
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

  /** A path as a message shows it: with its directory's descriptor when it is relative to one. */
  public static String subject(int dirFd, PosixPath path) {
    if (dirFd == NameCalls.AT_FDCWD || path.isAbsolute()) {
      return path.toString();
    }
    return path.isEmpty() ? "fd " + dirFd : "fd " + dirFd + "/" + path;
  }
}
