package dev.tailwater.delivery.stream;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import java.util.List;
import java.util.Optional;

/**
 * Whether and how a stream has ended, and which of its bytes are lost by that. Not thread-safe: its
 * stream guards it.
 */
final class StreamEnd {
  private final DurableRanges durable;
  private Optional<Ending> ending;

  /** Whether the archive must not be told of the end yet. */
  private boolean withheld;

  /** Whether this run has found the file. */
  private boolean found;

  /** Creates it as an earlier run knew it. */
  StreamEnd(DurableRanges durable, Optional<Ending> ending) {
    this.durable = durable;
    this.ending = ending;
  }

  Optional<Ending> ending() {
    return ending;
  }

  /** Returns the end as the archive may be told of it. */
  Optional<Ending> told() {
    return withheld ? Optional.empty() : ending;
  }

  void end(Ending how) {
    ending = Optional.of(knowingWhatIsDurable(how));
  }

  /** Ends the stream, but does not let the archive be told of it before {@link #announce}. */
  void endUnannounced(Ending unsaved) {
    end(unsaved);
    withheld = true;
  }

  void announce() {
    withheld = false;
  }

  /** A killed agent may have delivered later bytes and not earlier ones: then these are lost. */
  private Ending knowingWhatIsDurable(Ending how) {
    long knownSizeBytes = Math.max(how.knownSizeBytes(), durable.endBytes());
    return new Ending(how.reason(), how.readToBytes(), knownSizeBytes, how.atMillis());
  }

  /**
   * Ends the stream since its file is not there; false when this run has found it.
   *
   * @param knownSizeBytes the largest size that the file was seen with, as far as that is known
   */
  boolean endVanished(long knownSizeBytes, long nowMillis) {
    if (!found) {
      long durableBytes = durable.contiguousBytes();
      end(
          new Ending(
              StreamRecord.EndReason.VANISHED,
              durableBytes,
              Math.max(durableBytes, knownSizeBytes),
              nowMillis));
    }
    return !found;
  }

  /** Notes that the file is there. */
  void found() {
    found = true;
  }

  /** Notes that the file is back; true when the stream had ended. */
  boolean reopen() {
    found = true;
    boolean reopened = ending.isPresent();
    ending = Optional.empty();
    return reopened;
  }

  /** Returns whether the stream has ended and every byte that was read of it is durable. */
  boolean isComplete() {
    return told().filter(end -> durable.contiguousBytes() >= end.readToBytes()).isPresent();
  }

  /** Returns the bytes that were read, but never became durable. */
  Optional<ByteRange> lostAfterReading() {
    long durableBytes = durable.contiguousBytes();
    return ending
        .filter(end -> durableBytes < end.readToBytes())
        .map(end -> new ByteRange(durableBytes, end.readToBytes()));
  }

  /** Gives up the bytes of {@link #lostAfterReading}: they become part of the gap. */
  void concedeLost() {
    ending =
        ending.map(
            end ->
                new Ending(
                    end.reason(),
                    Math.min(end.readToBytes(), durable.contiguousBytes()),
                    Math.max(end.knownSizeBytes(), end.readToBytes()),
                    end.atMillis()));
  }

  /** Returns the gaps that the archive may be told of; segments may have arrived behind one. */
  List<GapRecord> gaps(StreamId id) {
    return told().filter(Ending::destroyedUnreadBytes).map(end -> gaps(id, end)).orElse(List.of());
  }

  private List<GapRecord> gaps(StreamId id, Ending end) {
    return lost(end).stream()
        .map(missing -> new GapRecord(id, missing, end.explanation(), end.atMillis()))
        .toList();
  }

  /** Returns the ranges of the {@link #gaps}. */
  List<ByteRange> lost() {
    return told().filter(Ending::destroyedUnreadBytes).map(this::lost).orElse(List.of());
  }

  private List<ByteRange> lost(Ending end) {
    return durable.missing(new ByteRange(end.readToBytes(), end.knownSizeBytes()));
  }
}
