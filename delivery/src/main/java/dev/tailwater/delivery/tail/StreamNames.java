package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import java.util.Comparator;
import java.util.Optional;

/**
 * What a file's stream is called. A destination that begins with a file late, or learns of several
 * truncations at once, calls the stream as the others do: then they are in step, and one sealing
 * serves all.
 */
public final class StreamNames {
  private StreamNames() {}

  /** Of the streams that the file's tails are at, the one after the most truncations. */
  public static Optional<StreamProgress> latest(WatchedFile file) {
    return file.tails().stream()
        .filter(Tail::isIdentified)
        .map(Tail::stream)
        .max(Comparator.comparingInt(stream -> stream.id().epoch()));
  }
}
