package dev.tailwater.io.async;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.Optional;

/** Finds out which engine there is, by making a ring and sending a request that does nothing. */
final class EngineProbe {
  private final FileCalls calls;
  private final RandomReadOptions options;

  EngineProbe(FileCalls calls, RandomReadOptions options) {
    this.calls = calls;
    this.options = options;
  }

  /**
   * The engine to use.
   *
   * @throws ErrnoException when io_uring is required and cannot be had
   */
  EngineChoice choose() throws ErrnoException {
    if (options.engine().equals(Optional.of(ReadEngine.THREADS))) {
      return new EngineChoice(ReadEngine.THREADS, "threads, as the options ask for");
    }
    try {
      tryRing();
      return new EngineChoice(
          ReadEngine.URING,
          options.engine().isPresent()
              ? "io_uring, as the options ask for"
              : "io_uring, which this kernel allows");
    } catch (ErrnoException e) {
      String why = e.getMessage() + "; " + remedy(e.errno());
      if (options.engine().isPresent()) {
        throw new ErrnoException(
            e.operation(),
            e.subject(),
            e.errnoNumber(),
            e.errno().text() + "; " + remedy(e.errno()) + ", or do not require io_uring");
      }
      return new EngineChoice(ReadEngine.THREADS, "threads, as io_uring cannot be used: " + why);
    }
  }

  private void tryRing() throws ErrnoException {
    try (Ring ring = Ring.open(calls, options.queueDepth())) {
      ring.nothing(0);
      int submissions = 1;
      while (!ring.hasCompletion()) {
        try {
          ring.enter(submissions, 1);
        } catch (ErrnoException e) {
          if (e.errno() != Errno.EINTR) {
            throw e;
          }
        }
        submissions = ring.unsubmitted();
      }
      if (ring.completedResult() < 0) {
        throw ErrnoException.of(
            "io_uring", "a request that does nothing", Errno.of(-ring.completedResult()));
      }
    }
  }

  private static String remedy(Errno errno) {
    return switch (errno) {
      case EPERM, EACCES ->
          "allow it with sysctl kernel.io_uring_disabled=0 and, in a container, by a seccomp"
              + " profile that has the io_uring calls";
      case ENOSYS ->
          "run Linux 5.6 or later and, in a container, a seccomp profile that has the io_uring"
              + " calls";
      case EMFILE -> "raise the limit of open files (ulimit -n)";
      case ENFILE -> "raise sysctl fs.file-max";
      case ENOMEM -> "raise the limit of locked memory (ulimit -l) or use a smaller queue depth";
      default -> "see io_uring_setup(2)";
    };
  }
}
