package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One line of a listing.
 *
 * @param path the last known path
 * @param pathSource how it is known
 * @param storedBytes how many bytes of the stream some segment holds
 * @param sizeBytes how long the stream is known to be
 * @param segments how many segments it has, superseded ones included
 * @param encrypted whether at least one of them is
 * @param gaps ranges that were destroyed before they could be read
 * @param missing ranges that should be there and are not
 * @param end how the stream ended; empty while it goes on, as far as is known
 * @param firstMillis when the first segment that is still there was delivered, milliseconds since
 *     the epoch, by the destination's clock; a merged one counts when it was merged
 * @param lastMillis the same of the last
 * @param damages notes of the stream that cannot be read
 * @param completeness whether the archive has all of it
 */
public record StreamSummary(
    String agent,
    StreamId stream,
    PosixPath path,
    PathSource pathSource,
    long storedBytes,
    long sizeBytes,
    int segments,
    boolean encrypted,
    List<StoredGap> gaps,
    List<ByteRange> missing,
    Optional<StreamRecord.End> end,
    OptionalLong firstMillis,
    OptionalLong lastMillis,
    List<Damage> damages,
    Completeness completeness) {
  public StreamSummary {
    gaps = List.copyOf(gaps);
    missing = List.copyOf(missing);
    damages = List.copyOf(damages);
  }

  /** Summarizes one stream. */
  public static StreamSummary of(ArchivedStream stream) {
    return new StreamSummary(
        stream.agent(),
        stream.id(),
        stream.path(),
        stream.pathSource(),
        stream.coveredBytes(),
        stream.knownEndBytes(),
        stream.segments().size(),
        stream.segments().stream().anyMatch(StoredSegment::encrypted),
        stream.openGaps(),
        stream.missing(),
        stream.record().flatMap(StreamRecord::end),
        stream.segments().stream().mapToLong(StoredSegment::modifiedMillis).min(),
        stream.segments().stream().mapToLong(StoredSegment::modifiedMillis).max(),
        stream.damages(),
        Completeness.of(stream));
  }
}
