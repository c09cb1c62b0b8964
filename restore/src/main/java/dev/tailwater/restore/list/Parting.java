package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import java.util.List;
import java.util.Optional;

/**
 * What a stream's agent said when it ended.
 *
 * @param farewell empty: it said nothing
 * @param left what it said was left of this stream; by now that may have arrived
 */
record Parting(Optional<Farewell> farewell, List<ByteRange> left) {
  Parting {
    left = List.copyOf(left);
  }

  /** How long the stream was at least; 0 when nothing was left of it. */
  long knownEndBytes() {
    return left.stream().mapToLong(ByteRange::endBytes).max().orElse(0);
  }
}
