package dev.tailwater.delivery.trust;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;

/**
 * A stream of which an object that is not trusted says that bytes are delivered.
 *
 * @param birthPath where the stream was first seen, as that object says
 * @param streamPrefix what the names of its objects begin with
 */
public record DoubtedStream(StreamId stream, PosixPath birthPath, String streamPrefix) {
  /** Returns what the names of another stream of the same file begin with. */
  public String prefixOf(StreamId other) {
    return prefixOf(streamPrefix, stream, other);
  }

  /** Returns a prefix with another stream in the place of this one, which is its last component. */
  public static String prefixOf(String streamPrefix, StreamId stream, StreamId other) {
    String end = stream.text() + "/";
    if (!streamPrefix.endsWith(end)) {
      throw new IllegalArgumentException("not a prefix of " + stream + ": " + streamPrefix);
    }
    return streamPrefix.substring(0, streamPrefix.length() - end.length()) + other.text() + "/";
  }
}
