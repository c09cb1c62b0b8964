package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;

/**
 * A rule that repeats the lookup of an object before the object counts as absent. A client of a
 * file server replaces a file that this machine has open in two steps: it gives the old file a
 * silly name ({@link SillyNames}) and then the name to the new file. Between the two, for the time
 * of one answer, the name does not exist.
 *
 * @param maxLookups at least 1
 */
record LookupRetries(Failures failures, int maxLookups) {
  private static final int MAX_REMOTE_LOOKUPS = 5;
  private static final long PAUSE_MILLIS = 10;

  static LookupRetries on(MountInfo mount, Failures failures) {
    return new LookupRetries(
        failures, mount.kind() == FileSystemKind.REMOTE ? MAX_REMOTE_LOOKUPS : 1);
  }

  /** Repeats the lookup until it finds the object or the limit is reached. */
  <T> T find(String key, StaleHandles.Operation<T> look) throws DestinationException {
    for (int number = 1; ; number++) {
      try {
        return look.run();
      } catch (NoSuchObjectException e) {
        if (number == maxLookups) {
          throw e;
        }
        pause(key);
      }
    }
  }

  private void pause(String key) throws DestinationException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(
          failures.uri(), "read", key, "interrupted", DestinationException.MAY_PASS, e);
    }
  }
}
