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
  record Complete(Optional<Instant> at) implements Completeness {}

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

  /** Nothing is known to be missing, and the stream may have grown: its agent runs, or died. */
  record Unknown() implements Completeness {}

  /** Looks at one stream. */
  static Completeness of(ArchivedStream stream) {
    long missingBytes = stream.knownEndBytes() - stream.coveredBytes();
    if (missingBytes > 0) {
      return new Cut(stream.covered().contiguousEnd(0), missingBytes);
    }
    if (stream.record().filter(StreamRecord::changedInPlace).isPresent()) {
      return new Changed();
    }
    Optional<StreamRecord.End> end = stream.record().flatMap(StreamRecord::end);
    if (end.isPresent()) {
      // Of a file that had vanished when an agent came back, nobody saw how long it was.
      return end.get().reason() == StreamRecord.EndReason.VANISHED
          ? new Unknown()
          : new Complete(Optional.empty());
    }
    return stream
        .lastDrain()
        .filter(drain -> drain.isLast() && drain.hadAllOf(stream.id()))
        .<Completeness>map(drain -> new Complete(Optional.of(drain.at())))
        .orElseGet(Unknown::new);
  }
}
