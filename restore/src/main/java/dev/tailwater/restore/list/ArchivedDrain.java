package dev.tailwater.restore.list;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamSums;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The last drain of an agent, as the archive tells of it: which streams were complete, and what was
 * left behind of others. Thread-safe.
 */
public final class ArchivedDrain {
  private final LastDrain leftBehind;
  private final boolean isLast;

  /** What all streams are that were complete; one object for all. */
  private final Completeness.Complete complete;

  /** The streams of which it says that something was left behind. */
  private final Set<StreamId> left;

  /** The streams that may be those whose sums are in the record; empty: it names them. */
  private final Optional<StreamSums.Adder> candidates;

  /** Streams that count for nothing, since no signature vouches for them. */
  private final Set<StreamId> unsigned = ConcurrentHashMap.newKeySet();

  ArchivedDrain(LastDrain leftBehind, boolean isLast) {
    this.leftBehind = leftBehind;
    this.isLast = isLast;
    this.complete =
        new Completeness.Complete(Optional.of(Instant.ofEpochMilli(leftBehind.atMillis())));
    this.left =
        leftBehind.streams().stream().map(LastDrain.Left::stream).collect(Collectors.toSet());
    this.candidates = leftBehind.completeSums().map(sums -> new StreamSums.Adder(sums.groups()));
  }

  /** The agent that drained. */
  public String agent() {
    return leftBehind.agent();
  }

  /** When it ended, by its own clock. */
  public Instant at() {
    return complete.at().orElseThrow();
  }

  /** What a stream is of which it {@linkplain #hadAllOf had everything}. */
  Completeness.Complete completeThen() {
    return complete;
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

  /**
   * Notes that the archive has a stream of the agent that has not ended, and of which it does not
   * say that it was changed: the agent may have counted it. Each is noted once.
   *
   * @param isSigned whether something of it is signed, where signatures count; one that was made up
   *     must not make up for another one that the agent has not counted
   */
  void found(StreamId stream, boolean isSigned) {
    if (candidates.isEmpty() || left.contains(stream)) {
      return;
    }
    if (isSigned) {
      candidates.get().add(stream);
    } else {
      unsigned.add(stream);
    }
  }

  /**
   * Whether nothing of this stream was left behind; the stream had not ended then. Of a record that
   * has sums, this is known when all streams of the agent have been listed, and may be asked of
   * those that were {@link #found} and of those that were left behind.
   */
  public boolean hadAllOf(StreamId stream) {
    if (left.contains(stream) || unsigned.contains(stream)) {
      return false; // What was left may have arrived since, and more may be missing.
    }
    return candidates.isPresent()
        ? candidates.get().hasAllOfGroup(leftBehind.completeSums().orElseThrow(), stream)
        : leftBehind.complete().contains(stream);
  }

  /** How many bytes were left behind; some may have arrived since. */
  public long leftBehindBytes() {
    return leftBehind.leftBytes();
  }
}
