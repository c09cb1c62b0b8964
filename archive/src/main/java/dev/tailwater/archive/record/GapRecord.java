package dev.tailwater.archive.record;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;

/**
 * The reason why a range of a stream is not in the archive, stored as {@code START-END.gap}; see
 * {@code docs/format.md}, "Gaps".
 *
 * @param stream the stream
 * @param range the missing range, not empty
 * @param reason a text for the user, at most 1 000 characters
 * @param atMillis when the agent noticed the gap, milliseconds since 1970
 */
public record GapRecord(StreamId stream, ByteRange range, String reason, long atMillis) {
  /** The maximum length of the reason, in characters. */
  public static final int MAX_REASON_CHARACTERS = 1000;

  public GapRecord {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a gap cannot have the empty range " + range);
    }
    if (reason.length() > MAX_REASON_CHARACTERS) {
      throw new IllegalArgumentException("a gap's reason is too long");
    }
  }
}
