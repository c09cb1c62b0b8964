package dev.tailwater.restore.list;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/**
 * The path that a stream had last.
 *
 * @param source how it is known
 * @param sinceMillis when the stream came there, as its record says, and not after the record was
 *     written by the destination's clock; empty where no record says it
 * @param arrivalNanos when it came there, in the order of the agent; empty where nobody says it
 */
record LastPath(
    PosixPath path, PathSource source, OptionalLong sinceMillis, OptionalLong arrivalNanos) {
  LastPath(PosixPath path, PathSource source) {
    this(path, source, OptionalLong.empty(), OptionalLong.empty());
  }

  /** Returns the same path with this arrival. */
  LastPath arrivedAt(OptionalLong toldNanos) {
    return new LastPath(path, source, sinceMillis, toldNanos);
  }
}
