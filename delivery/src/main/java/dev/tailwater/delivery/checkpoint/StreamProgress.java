package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How far one stream is delivered, and what the archive does not say of it yet. Thread-safe;
 * nothing here blocks.
 */
public final class StreamProgress {
  private final FileIdentity identity;
  private final StreamId id;
  private final PosixPath birthPath;
  private final String streamPrefix;

  private final RangeSet durable = new RangeSet();
  private final TreeMap<Long, Marker> markers = new TreeMap<>();
  private PosixPath path;
  private PosixPath recordedPath;
  private int permissions;
  private long modificationTimeNanos;
  private long seenAtMillis;
  private Optional<Ending> ending = Optional.empty();
  private boolean described;
  private long facts;
  private long describedFacts;
  private boolean savedOnce;
  private boolean found;
  private boolean changedInPlace;
  private OptionalLong savedModificationTimeNanos = OptionalLong.empty();

  private StreamProgress(
      FileIdentity identity,
      StreamId id,
      PosixPath birthPath,
      String streamPrefix,
      PosixPath path) {
    this.identity = identity;
    this.id = id;
    this.birthPath = birthPath;
    this.path = path;
    this.recordedPath = birthPath;
    this.streamPrefix = streamPrefix;
    markers.put(0L, Marker.NONE);
  }

  /** A stream of which nothing is delivered yet. */
  public static StreamProgress begin(
      String agent, FileIdentity identity, StreamId id, PosixPath path, long nowMillis) {
    String prefix = ArchiveNames.streamPrefix(agent, path, id);
    StreamProgress progress = new StreamProgress(identity, id, path, prefix, path);
    progress.seenAtMillis = nowMillis;
    return progress;
  }

  /** The stream that another destination has, of which nothing is delivered to this one yet. */
  public static StreamProgress sameAs(StreamProgress other, PosixPath path, long nowMillis) {
    StreamProgress progress =
        new StreamProgress(other.identity, other.id, other.birthPath, other.streamPrefix, path);
    progress.seenAtMillis = nowMillis;
    return progress;
  }

  /** A stream as a checkpoint describes it. */
  public static StreamProgress resume(Checkpoint checkpoint) {
    StreamProgress progress =
        new StreamProgress(
            checkpoint.identity(),
            checkpoint.stream(),
            checkpoint.birthPath(),
            checkpoint.streamPrefix(),
            checkpoint.path());
    progress.recordedPath = checkpoint.recordedPath();
    progress.described = checkpoint.described();
    progress.permissions = checkpoint.permissions();
    progress.modificationTimeNanos = checkpoint.modificationTimeNanos();
    progress.savedModificationTimeNanos = OptionalLong.of(checkpoint.modificationTimeNanos());
    progress.seenAtMillis = checkpoint.seenAtMillis();
    progress.ending = checkpoint.ending();
    progress.savedOnce = true;
    progress.changedInPlace = checkpoint.changedInPlace();
    if (checkpoint.ending().isPresent()) {
      progress.facts++;
    }
    if (checkpoint.durableBytes() > 0) {
      progress.durable.add(new ByteRange(0, checkpoint.durableBytes()));
      progress.markers.clear();
      progress.markers.put(checkpoint.durableBytes(), checkpoint.marker());
    }
    return progress;
  }

  /** A stream that only the archive knows, since the local state was lost. */
  public static StreamProgress rediscover(
      FileIdentity identity,
      StreamId id,
      PosixPath birthPath,
      String streamPrefix,
      PosixPath path) {
    return new StreamProgress(identity, id, birthPath, streamPrefix, path);
  }

  public FileIdentity identity() {
    return identity;
  }

  public StreamId id() {
    return id;
  }

  /** Under whose name the stream is archived; a machine may have been renamed since. */
  public String agent() {
    return streamPrefix.substring(0, streamPrefix.indexOf('/'));
  }

  public String streamPrefix() {
    return streamPrefix;
  }

  public PosixPath birthPath() {
    return birthPath;
  }

  public synchronized PosixPath path() {
    return path;
  }

  /**
   * What a segment says of the file.
   *
   * @param path where it was last seen
   */
  public record Attributes(PosixPath path, int permissions, long modificationTimeNanos) {}

  /** As they were seen last. */
  public synchronized Attributes attributes() {
    return new Attributes(path, permissions, modificationTimeNanos);
  }

  public synchronized Optional<Ending> ending() {
    return ending;
  }

  /** The offset below which every byte is durable at the destination. */
  public synchronized long durableBytes() {
    return durable.contiguousEnd(0);
  }

  /**
   * What is durable from the beginning.
   *
   * @param marker the checksum before its end, if it is known
   */
  public record Durable(long bytes, Optional<Marker> marker) {}

  /** {@link #durableBytes()} and {@link #marker()} of the same moment. */
  public synchronized Durable durable() {
    return new Durable(durableBytes(), marker());
  }

  /** The checksum before {@link #durableBytes()}, if it is known. */
  public synchronized Optional<Marker> marker() {
    return Optional.ofNullable(markers.get(durableBytes()));
  }

  /**
   * The destination says that it holds this range; nothing is known of the bytes before its end.
   */
  public synchronized void holds(ByteRange range) {
    durable.add(range);
  }

  /**
   * The next range at or after the position that the destination does not hold; it may be empty.
   */
  public synchronized ByteRange nextMissing(long positionBytes) {
    long start = durable.contiguousEnd(positionBytes);
    return durable.missing(new ByteRange(start, Long.MAX_VALUE)).getFirst();
  }

  /** The ranges below the size that are not durable. */
  public synchronized List<ByteRange> missing(long sizeBytes) {
    return sizeBytes == 0 ? List.of() : durable.missing(new ByteRange(0, sizeBytes));
  }

  /** The destination has made the range durable. */
  public synchronized void acknowledge(ByteRange range, Marker markerAtEnd) {
    durable.add(range);
    markers.put(range.endBytes(), markerAtEnd);
    markers.headMap(durableBytes()).clear();
  }

  /** The file has what the destination holds up to there, and this is the checksum before it. */
  public synchronized void confirm(long offsetBytes, Marker markerThere) {
    markers.putIfAbsent(offsetBytes, markerThere);
  }

  /**
   * Whether the file may have been written to since an earlier run saved this, so that more of it
   * may have been delivered than was saved.
   */
  public synchronized boolean mayBeChanged(long sizeBytes, long nowModificationTimeNanos) {
    return sizeBytes != durableBytes()
        || savedModificationTimeNanos.isEmpty()
        || savedModificationTimeNanos.getAsLong() != nowModificationTimeNanos;
  }

  /** The file was seen at this path with these attributes. */
  public synchronized void seen(
      PosixPath path, int permissions, long modificationTimeNanos, long nowMillis) {
    this.path = path;
    this.permissions = permissions;
    this.modificationTimeNanos = modificationTimeNanos;
    this.seenAtMillis = nowMillis;
  }

  /**
   * The file's modification time when it was seen last; empty when there was nothing durable then,
   * or it is not known.
   */
  public synchronized OptionalLong timeOfDurableBytes() {
    return durableBytes() > 0 && modificationTimeNanos != 0
        ? OptionalLong.of(modificationTimeNanos)
        : OptionalLong.empty();
  }

  /** Whether bytes were changed in the file after they had been read. */
  public synchronized boolean isChangedInPlace() {
    return changedInPlace;
  }

  /** Bytes were changed after they had been read; or that has turned out to be wrong. */
  public synchronized void changedInPlace(boolean changed) {
    if (changedInPlace != changed) {
      changedInPlace = changed;
      facts++;
    }
  }

  /** The file is there and empty; without a record, no reader of the archive would know. */
  public synchronized void seenEmpty() {
    if (!described && durable.totalBytes() == 0) {
      described = true;
      facts++;
    }
  }

  /** The stream has ended. What was read before is still delivered. */
  public synchronized void end(Ending ending) {
    this.ending = Optional.of(ending);
    facts++;
  }

  /** The stream's file is not there, unless it was found meanwhile. */
  public synchronized boolean endVanished(long nowMillis) {
    if (found) {
      return false;
    }
    end(new Ending(StreamRecord.EndReason.VANISHED, durableBytes(), durableBytes(), nowMillis));
    return true;
  }

  /** The file is back after all. */
  public synchronized void reopen() {
    found = true;
    if (ending.isPresent()) {
      ending = Optional.empty();
      facts++;
    }
  }

  /** Whether the stream has ended and every byte that was read of it is durable. */
  public synchronized boolean isComplete() {
    return ending.isPresent() && durableBytes() >= ending.get().readToBytes();
  }

  /**
   * Bytes that were read but never became durable, and whose file is gone: after a crash they are
   * lost, and the archive must say so.
   */
  public synchronized Optional<ByteRange> lostAfterReading() {
    return ending
        .filter(e -> durableBytes() < e.readToBytes())
        .map(e -> new ByteRange(durableBytes(), e.readToBytes()));
  }

  /** Gives up the bytes of {@link #lostAfterReading()}: they become part of the gap. */
  public synchronized void concedeLostBytes() {
    ending =
        ending.map(
            e ->
                new Ending(
                    e.reason(),
                    Math.min(e.readToBytes(), durableBytes()),
                    Math.max(e.knownSizeBytes(), e.readToBytes()),
                    e.atMillis()));
    facts++;
  }

  /** What the archive should say of the stream beyond its segments, if it does not say it yet. */
  public synchronized Optional<Description> undescribed() {
    boolean renamed = !path.equals(recordedPath);
    if (facts == describedFacts && !renamed) {
      return Optional.empty();
    }
    long sizeBytes = ending.map(Ending::readToBytes).orElseGet(this::durableBytes);
    StreamRecord record =
        new StreamRecord(
            id,
            birthPath,
            List.of(new StreamRecord.KnownPath(path, seenAtMillis)),
            ending.map(e -> new StreamRecord.End(e.reason(), e.readToBytes(), e.atMillis())),
            sizeBytes,
            permissions,
            modificationTimeNanos,
            changedInPlace);
    List<GapRecord> gaps =
        ending.filter(Ending::destroyedUnreadBytes).map(this::gaps).orElse(List.of());
    return Optional.of(new Description(record, gaps, path, facts));
  }

  /** Segments may have arrived behind one that did not. */
  private List<GapRecord> gaps(Ending destroyed) {
    ByteRange range = new ByteRange(destroyed.readToBytes(), destroyed.knownSizeBytes());
    return durable.missing(range).stream()
        .map(missing -> new GapRecord(id, missing, destroyed.explanation(), destroyed.atMillis()))
        .toList();
  }

  /** The archive says now what the description says. */
  public synchronized void described(Description description) {
    described = true;
    recordedPath = description.path();
    describedFacts = description.facts();
  }

  public synchronized Checkpoint checkpoint() {
    long durableBytes = durableBytes();
    Marker marker = markers.get(durableBytes);
    savedOnce = true;
    return new Checkpoint(
        identity,
        id,
        birthPath,
        streamPrefix,
        path,
        recordedPath,
        durableBytes,
        marker == null ? Marker.NONE : marker,
        described,
        permissions,
        modificationTimeNanos,
        seenAtMillis,
        ending,
        changedInPlace);
  }

  /** Whether a checkpoint of this stream was ever asked for, and so saved. */
  public synchronized boolean isRegistered() {
    return savedOnce;
  }

  /**
   * What is to be written beside a stream's segments.
   *
   * @param facts how many facts were known when it was made
   */
  public record Description(
      StreamRecord record, List<GapRecord> gaps, PosixPath path, long facts) {}
}
