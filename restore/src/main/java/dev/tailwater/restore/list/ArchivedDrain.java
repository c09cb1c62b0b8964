package dev.tailwater.restore.list;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import java.time.Instant;

/**
 * The last drain of an agent, as the archive tells of it: which streams were complete, and what was
 * left behind of others.
 *
 * @param agent the agent that drained
 * @param at when it ended, by its own clock
 * @param isLast whether nothing of the agent came after that, by the destination's clock: it has
 *     not run since, or nothing of that run has arrived
 * @param leftBehind what was not delivered then
 */
public record ArchivedDrain(String agent, Instant at, boolean isLast, LastDrain leftBehind) {
  ArchivedDrain(LastDrain drain, boolean isLast) {
    this(drain.agent(), Instant.ofEpochMilli(drain.atMillis()), isLast, drain);
  }

  /** Whether nothing of this stream was left behind; the stream had not ended then. */
  public boolean hadAllOf(StreamId stream) {
    return leftBehind.complete().contains(stream);
  }

  /** How many bytes were left behind; some may have arrived since. */
  public long leftBehindBytes() {
    return leftBehind.leftBytes();
  }
}
