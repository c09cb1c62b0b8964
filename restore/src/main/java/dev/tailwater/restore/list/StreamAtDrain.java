package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import java.util.List;
import java.util.Optional;

/**
 * What the last drain of its agent tells of one stream.
 *
 * @param lastDrain empty: there is no record of one
 * @param left what it left behind of this stream; by now that may have arrived
 */
record StreamAtDrain(Optional<ArchivedDrain> lastDrain, List<ByteRange> left) {
  StreamAtDrain {
    left = List.copyOf(left);
  }

  /** How long the stream was at least; 0 when nothing was left of it. */
  long knownEndBytes() {
    long endBytes = 0;
    for (ByteRange range : left) {
      endBytes = Math.max(endBytes, range.endBytes());
    }
    return endBytes;
  }
}
