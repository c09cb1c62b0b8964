package dev.tailwater.restore.list;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/**
 * The path that a stream had last.
 *
 * @param source how it is known
 * @param sinceMillis when the stream came there, as its record says, and not after the record was
 *     written by the destination's clock; empty where no record says it
 */
record LastPath(PosixPath path, PathSource source, OptionalLong sinceMillis) {
  LastPath(PosixPath path, PathSource source) {
    this(path, source, OptionalLong.empty());
  }
}
