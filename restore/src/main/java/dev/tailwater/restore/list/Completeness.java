package dev.tailwater.restore.list;

import dev.tailwater.archive.record.StreamRecord;
import java.time.Instant;
import java.util.Optional;

/** Whether an archive has all of a stream, as far as the archive alone can tell. */
public sealed interface Completeness {
  /**
   * It has every byte.
   *
   * @param at when the file was at its end, and its agent too; empty: the stream has ended, nothing
   *     can come any more
   */
  record Complete(Optional<Instant> at) implements Completeness {
    /** What all streams are that have ended; one object for all. */
    static final Complete ENDED = new Complete(Optional.empty());
  }

  /**
   * Bytes are known to be missing.
   *
   * @param atBytes where the first of them is
   * @param missingBytes how many at least; the stream may have been longer still
   */
  record Cut(long atBytes, long missingBytes) implements Completeness {}

  /**
   * No byte is missing, but some are not what the file held last: they were changed in place after
   * they had been read.
   */
  record Changed() implements Completeness {}

  /** What most streams of a running agent are; one object for all. */
  Unknown UNKNOWN = new Unknown();

  /** Nothing is known to be missing, and the stream may have grown: its agent runs, or died. */
  record Unknown() implements Completeness {}

  /** Looks at one stream. */
  static Completeness of(ArchivedStream stream) {
    long missingBytes = stream.knownEndBytes() - stream.coveredBytes();
    if (missingBytes > 0) {
      return new Cut(stream.covered().contiguousEnd(0), missingBytes);
    }
    Optional<StreamRecord> record = stream.record();
    if (record.isPresent() && record.get().changedInPlace()) {
      return new Changed();
    }
    Optional<StreamRecord.End> end =
        record.isPresent() ? record.get().end() : Optional.<StreamRecord.End>empty();
    if (end.isPresent()) {
      // Of a file that had vanished, nobody saw what it held last.
      return end.get().reason() == StreamRecord.EndReason.VANISHED ? UNKNOWN : Complete.ENDED;
    }
    Optional<ArchivedDrain> drain = stream.lastDrain();
    return drain.isPresent() && drain.get().isLast() && drain.get().hadAllOf(stream.id())
        ? drain.get().completeThen()
        : UNKNOWN;
  }
}
