package dev.tailwater.io.async;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;

/** Does a request on the calling thread. */
final class Preads {
  private Preads() {}

  /** The request is done when it returns, well or with a failure. */
  static void complete(FileCalls calls, Request request) {
    boolean done = false;
    while (!done) {
      done = request.proceed(attempt(calls, request));
    }
  }

  /** Bytes, or -errno. */
  private static int attempt(FileCalls calls, Request request) {
    int fd = request.fd();
    if (fd < 0) {
      return -Errno.EBADF.number();
    }
    try {
      return calls.pread(fd, request.rest(), request.nextOffsetBytes());
    } catch (ErrnoException e) {
      return -e.errnoNumber();
    }
  }
}
