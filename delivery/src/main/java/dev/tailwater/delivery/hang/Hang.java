package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;

/**
 * A call that does not return.
 *
 * @param thread the one that waits for it
 * @param operation such as {@code fstat}
 * @param path of the file that it is about
 */
public record Hang(Thread thread, String operation, String path) {
  private static final PosixPath DESCRIPTORS = PosixPath.of("/proc/self/fd");

  static Hang of(FileCalls calls, Thread thread, CallSlot.Doing doing) {
    return new Hang(thread, doing.operation(), path(calls, doing));
  }

  /** Asks the kernel only for what it knows without asking any file system. */
  private static String path(FileCalls calls, CallSlot.Doing doing) {
    PosixPath path = doing.path();
    if (path.isAbsolute()) {
      return path.parent().equals(DESCRIPTORS) ? link(calls, path).toString() : path.toString();
    }
    if (doing.fd() < 0) {
      return path.toString();
    }
    PosixPath directory = link(calls, DESCRIPTORS.resolve(Integer.toString(doing.fd())));
    return path.isEmpty() ? directory.toString() : directory.resolve(path).toString();
  }

  private static PosixPath link(FileCalls calls, PosixPath descriptor) {
    try {
      return calls.readLink(FileCalls.AT_FDCWD, descriptor);
    } catch (ErrnoException e) {
      return descriptor; // It was closed meanwhile.
    }
  }
}
