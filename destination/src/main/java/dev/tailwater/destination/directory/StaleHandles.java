package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.posix.Errno;

/**
 * ESTALE: a file server no longer knows a directory or file that this machine had found before,
 * because another machine replaced it or the server started anew. The kernel looks a path up once
 * more then, but not below a descriptor that is stale itself. Every operation here opens its
 * descriptors itself, so making it once more is the same with fresh ones.
 */
final class StaleHandles {
  private StaleHandles() {}

  /** Something that opens all descriptors that it uses. */
  interface Operation<T> {
    T run() throws DestinationException;
  }

  /** Runs it, and once more at once after ESTALE; what fails then is left to the caller. */
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
