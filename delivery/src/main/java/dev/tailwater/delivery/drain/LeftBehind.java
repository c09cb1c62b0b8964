package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.List;

/** The ranges of one stream that are not durable at the destination. */
public record LeftBehind(PosixPath path, StreamId stream, List<ByteRange> ranges) {
  public long totalBytes() {
    return ranges.stream().mapToLong(ByteRange::lengthBytes).sum();
  }
}
