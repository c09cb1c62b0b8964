package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.restore.Damage;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** What can be told of an archive as it was at a moment. */
final class Moments {
  static final String UNTOLD_PATH =
      "the file was renamed after the moment, and no object says which path it had before";

  static final String UNTOLD_PRESENCE =
      "what tells of it was written after the moment, and does not say whether the file was there"
          + " before, empty";

  private Moments() {}

  /** Whether the stream may have begun by then; where no birth time is known, it may. */
  static boolean mayHaveBegun(StreamId stream, long atMillis) {
    OptionalLong birthNanos = stream.birthTimeNanos();
    return birthNanos.isEmpty()
        || TimeUnit.NANOSECONDS.toMillis(birthNanos.getAsLong()) <= atMillis;
  }

  /** Whether a stream with this damage is perhaps there, and nothing tells that it is. */
  static boolean isAboutPresence(Damage damage) {
    return damage.why().equals(UNTOLD_PRESENCE);
  }

  /** Whether one of the damages of a stream is of that kind; nearly all streams have none. */
  static boolean isPresenceUntold(List<Damage> damages) {
    return !damages.isEmpty() && damages.stream().anyMatch(Moments::isAboutPresence);
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
