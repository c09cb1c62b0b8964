package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** What can be told of an archive as it was at a moment. */
final class Moments {
  static final String UNTOLD_PATH =
      "the file was renamed after the moment, and no object says which path it had before";

  private Moments() {}

  /** Whether the stream may have begun by then; where no birth time is known, it may. */
  static boolean mayHaveBegun(StreamId stream, long atMillis) {
    OptionalLong birthNanos = stream.birthTimeNanos();
    return birthNanos.isEmpty()
        || TimeUnit.NANOSECONDS.toMillis(birthNanos.getAsLong()) <= atMillis;
  }

  static String droppedBytes(ByteRange range) {
    return "the bytes "
        + range
        + " were replaced after the moment, and what they were is not kept (keep_revisions)";
  }

  static String untoldBytes(ByteRange range) {
    return "the bytes "
        + range
        + " were merged after the moment, and it does not say which of them were there before";
  }
}
