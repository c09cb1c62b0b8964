package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.posix.Errno;

/**
 * A retry after ESTALE: a file server no longer knows a directory or file that this machine found
 * earlier, because another machine replaced it or the server restarted. The kernel then looks up
 * the path again, but not below a stale descriptor. Since every operation here opens its own
 * descriptors, a second attempt uses fresh ones.
 */
final class StaleHandles {
  private StaleHandles() {}

  /** An operation that opens all descriptors that it uses. */
  interface Operation<T> {
    T run() throws DestinationException;
  }

  /** Runs the operation, and repeats it once after ESTALE. */
  static <T> T retried(Operation<T> operation) throws DestinationException {
    try {
      return operation.run();
    } catch (DestinationException e) {
      if (e.errno().filter(errno -> errno == Errno.ESTALE).isEmpty()) {
        throw e;
      }
      try {
        return operation.run();
      } catch (DestinationException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
  }
}
