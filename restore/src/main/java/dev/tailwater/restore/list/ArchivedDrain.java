package dev.tailwater.restore.list;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamSums;
import java.time.Instant;
import java.util.Optional;

/**
 * The last drain of an agent, as the archive tells of it: which streams were complete, and what was
 * left behind of others. Thread-safe.
 */
public final class ArchivedDrain {
  private final LastDrain leftBehind;
  private final boolean isLast;

  /** The streams that may be those whose sums are in the record; empty: it names them. */
  private final Optional<StreamSums.Adder> candidates;

  ArchivedDrain(LastDrain leftBehind, boolean isLast) {
    this.leftBehind = leftBehind;
    this.isLast = isLast;
    this.candidates = leftBehind.completeSums().map(sums -> new StreamSums.Adder(sums.groups()));
  }

  /** The agent that drained. */
  public String agent() {
    return leftBehind.agent();
  }

  /** When it ended, by its own clock. */
  public Instant at() {
    return Instant.ofEpochMilli(leftBehind.atMillis());
  }

  /**
   * Whether nothing of the agent came after that, by the destination's clock: it has not run since,
   * or nothing of that run has arrived.
   */
  public boolean isLast() {
    return isLast;
  }

  /** What was not delivered then. */
  public LastDrain leftBehind() {
    return leftBehind;
  }

  /** Notes that the archive has a stream of the agent that has not ended. Each is noted once. */
  void found(StreamId stream) {
    candidates.ifPresent(all -> all.add(stream));
  }

  /**
   * Whether nothing of this stream was left behind; the stream had not ended then. Of a record that
   * has sums, this is known when all streams of the agent have been listed.
   */
  public boolean hadAllOf(StreamId stream) {
    return candidates.isPresent()
        ? candidates.get().hasAllOfGroup(leftBehind.completeSums().orElseThrow(), stream)
        : leftBehind.complete().contains(stream);
  }

  /** How many bytes were left behind; some may have arrived since. */
  public long leftBehindBytes() {
    return leftBehind.leftBytes();
  }
}
