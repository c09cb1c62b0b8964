package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What an archive holds of one stream. Immutable; two are equal only when they are the same object.
 */
public final class ArchivedStream implements Comparable<ArchivedStream> {
  private static final Codec ZSTD = new Codec.Zstd(1);
  private static final Codec GZIP = new Codec.Gzip(1);

  /**
   * How it is known which attributes a record states.
   *
   * @param atMillis when the file had them, by the agent's clock
   * @param vouchedFor whether an encrypted object tells the mode, or one whose signature was
   *     checked
   */
  record AttributesTold(long atMillis, boolean vouchedFor) {
    /** Nothing is told. */
    static final AttributesTold NONE = new AttributesTold(Long.MIN_VALUE, false);
  }

  private final StreamName name;
  private final TrustedSegments segments;
  private final List<StoredGap> gaps;
  private final Optional<StreamRecord> record;
  private final AttributesTold attributes;
  private final LastPath path;
  private final List<Damage> damages;
  private final ArchivedDrains.StreamAtDrain atDrain;

  ArchivedStream(
      StreamName name,
      TrustedSegments segments,
      List<StoredGap> gaps,
      Optional<StreamRecord> record,
      AttributesTold attributes,
      LastPath path,
      List<Damage> damages,
      ArchivedDrains.StreamAtDrain atDrain) {
    this.name = name;
    this.segments = segments;
    this.gaps = List.copyOf(gaps);
    this.record = record;
    this.attributes = attributes;
    this.path = path;
    this.damages = List.copyOf(damages);
    this.atDrain = atDrain;
  }

  public String agent() {
    return name.agent();
  }

  public StreamId id() {
    return name.stream();
  }

  /** What the names of all its objects start with; unique in the archive. */
  public String prefix() {
    return name.prefix();
  }

  /** The path at its birth, from the object names. Where it was too long, a part is a hash. */
  public PosixPath birthPath() {
    return name.birthPath();
  }

  /** The last known path; {@link #pathSource} says how it is known. */
  public PosixPath path() {
    return path.path();
  }

  public PathSource pathSource() {
    return path.source();
  }

  /**
   * The last sign that it was at its path: what its record says of when it came and, of one that
   * was born there, its birth or last delivery; empty where nothing but its own segments says that
   * it ever came.
   */
  OptionalLong atPathMillis() {
    if (!isBornAtItsPath()) {
      return path.sinceMillis();
    }
    long atMillis = TimeUnit.NANOSECONDS.toMillis(id().birthTimeNanos().orElse(Long.MIN_VALUE));
    // A stream that begins with a truncation is younger than its file, and may have no segments.
    atMillis = Math.max(atMillis, path.sinceMillis().orElse(Long.MIN_VALUE));
    for (StoredSegment segment : segments()) {
      atMillis = Math.max(atMillis, segment.modifiedMillis());
    }
    return OptionalLong.of(atMillis);
  }

  /**
   * When its file came to its path: of the files that were at one path, the one with the highest
   * number came last. Empty where no object tells it.
   */
  public OptionalLong arrivalNanos() {
    return path.arrivalNanos();
  }

  /** By start, of those with the same start the longest first. May overlap. */
  public List<StoredSegment> segments() {
    return segments.accepted();
  }

  /**
   * Segments whose bytes are not used because they are not encrypted, in the same order; none
   * unless there are identities and {@link ReadOptions#allowPlain} is false.
   */
  public List<StoredSegment> refused() {
    return segments.refused();
  }

  /** One for each of those segments. */
  public List<Damage> refusals() {
    return refused().isEmpty()
        ? List.of()
        : refused().stream().map(segment -> Damage.refusal(keyOf(segment))).toList();
  }

  /** Whether the stream was first seen with the path that it has now. */
  boolean isBornAtItsPath() {
    return path().equals(birthPath()) || ArchiveNames.isBornAt(path(), agent(), id(), prefix());
  }

  /** Whether only encrypted objects are trusted. */
  public boolean plainRefused() {
    return segments.plainRefused();
  }

  /** Whether it is known to have come to its end. */
  boolean hasEnded() {
    return record.isPresent() && record.get().end().isPresent();
  }

  /** Whether nothing tells that it was there at the moment as of which the archive is read. */
  boolean isPerhapsThere() {
    return Moments.isPresenceUntold(damages);
  }

  /** Whether encryption or a signature vouches for it, where that is asked. */
  public boolean isVouchedFor() {
    return !segments.plainRefused() || !segments().isEmpty() || isModeVouchedFor();
  }

  /** Whether nothing of it can be had without an identity. */
  public boolean isAllEncrypted() {
    return !segments().isEmpty() && segments().stream().allMatch(StoredSegment::encrypted);
  }

  /** By start. */
  public List<StoredGap> gaps() {
    return gaps;
  }

  /**
   * Returns when the file had the attributes that its record states, by the agent's clock,
   * milliseconds since 1970.
   */
  public long attributesAtMillis() {
    return attributes.atMillis();
  }

  /** Returns whether encryption or a signature vouches for the mode that the record states. */
  public boolean isModeVouchedFor() {
    return attributes.vouchedFor();
  }

  /** stream.json, when it is there and readable. */
  public Optional<StreamRecord> record() {
    return record;
  }

  /** Notes of the stream that cannot be read: stream.json, gaps. Not its segments. */
  public List<Damage> damages() {
    return damages;
  }

  /** The last drain of its agent, if the archive tells of one. */
  public Optional<ArchivedDrain> lastDrain() {
    return atDrain.lastDrain();
  }

  /** The name of the object that holds one of its segments. */
  public String keyOf(StoredSegment segment) {
    return segment
        .pack()
        .map(at -> at.pack().name().key())
        .orElseGet(
            () ->
                ArchiveNames.segment(
                    prefix(), segment.range(), segment.gzip() ? GZIP : ZSTD, segment.encrypted()));
  }

  ArchiveObject.Segment objectOf(StoredSegment segment) {
    return new ArchiveObject.Segment(
        keyOf(segment),
        agent(),
        birthPath(),
        name.shortened(),
        id(),
        prefix(),
        segment.range(),
        segment.gzip(),
        segment.encrypted());
  }

  /** The bytes that some segment holds, by the names of the objects, and may give. */
  public RangeSet covered() {
    RangeSet untold = untold();
    RangeSet covered = new RangeSet();
    segments().forEach(segment -> untold.missing(segment.range()).forEach(covered::add));
    return covered;
  }

  /**
   * Returns the bytes that were replaced after the moment as of which the archive is read, and that
   * are not kept: no segment may give them.
   */
  public RangeSet untold() {
    RangeSet untold = new RangeSet();
    segments.untold().forEach(untold::add);
    return untold;
  }

  /** How many bytes some segment holds. */
  public long coveredBytes() {
    return isOnly() ? segments().getFirst().range().lengthBytes() : covered().totalBytes();
  }

  /** How many bytes some segment of these streams holds. */
  public static long coveredBytes(Collection<ArchivedStream> streams) {
    return streams.stream().mapToLong(ArchivedStream::coveredBytes).reduce(0, ByteSum::of);
  }

  /**
   * Returns the segment that gives all there is, if there is a single one and all of it may be
   * given: so it is with nearly all files of an archive of many.
   */
  public Optional<StoredSegment> only() {
    return isOnly() ? Optional.of(segments().getFirst()) : Optional.empty();
  }

  private boolean isOnly() {
    return segments().size() == 1 && segments.untold().isEmpty();
  }

  /** Where the last segment ends: the length of the file as far as it is stored. */
  public long storedEndBytes() {
    return endOf(segments());
  }

  /**
   * How long the stream is known to be: the end of what is stored, of a gap, of what its agent left
   * behind, or of its life.
   */
  public long knownEndBytes() {
    long end = Math.max(storedEndBytes(), endOf(refused()));
    end = Math.max(end, atDrain.knownEndBytes());
    for (int i = 0; i < gaps.size(); i++) {
      end = Math.max(end, gaps.get(i).range().endBytes());
    }
    return record.isPresent() ? Math.max(end, recordedSizeBytes(record.get())) : end;
  }

  private static long endOf(List<StoredSegment> segments) {
    long endBytes = 0;
    for (int i = 0; i < segments.size(); i++) {
      endBytes = Math.max(endBytes, segments.get(i).range().endBytes());
    }
    return endBytes;
  }

  private static long recordedSizeBytes(StreamRecord record) {
    return record.end().isPresent() ? record.end().get().sizeBytes() : record.sizeBytes();
  }

  /** The gaps of which no segment holds every byte after all. */
  public List<StoredGap> openGaps() {
    if (gaps.isEmpty()) {
      return List.of();
    }
    RangeSet covered = covered();
    return gaps.stream().filter(gap -> !covered.contains(gap.range())).toList();
  }

  /** What the gaps explain: a byte that a segment has after all should be there. */
  public List<ByteRange> unstoredGaps() {
    if (gaps.isEmpty()) {
      return List.of();
    }
    RangeSet explained = new RangeSet(); // An archive may tell any number that overlap.
    gaps.forEach(gap -> explained.add(gap.range()));
    RangeSet covered = covered();
    return explained.ranges().stream().flatMap(gap -> covered.missing(gap).stream()).toList();
  }

  /** The ranges up to {@link #knownEndBytes} that are neither stored nor explained by a gap. */
  public List<ByteRange> missing() {
    return missingWhere(covered());
  }

  /** The same when only these bytes could be had. */
  public List<ByteRange> missingWhere(RangeSet had) {
    ByteRange all = new ByteRange(0, knownEndBytes());
    if (had.contains(all)) {
      return List.of();
    }
    RangeSet known = new RangeSet();
    had.ranges().forEach(known::add);
    unstoredGaps().forEach(known::add);
    return known.missing(all);
  }

  /** The same stream with one more damage. */
  ArchivedStream withDamage(Damage damage) {
    if (damages.contains(damage)) {
      return this;
    }
    List<Damage> more = new ArrayList<>(damages);
    more.add(damage);
    return new ArchivedStream(name, segments, gaps, record, attributes, path, more, atDrain);
  }

  /** The same stream with what a newer listing has; no revision makes it longer. */
  ArchivedStream withSegments(List<StoredSegment> newer) {
    List<StoredSegment> first = newer.stream().filter(one -> one.revision() == 0).toList();
    long endBytes = Math.max(storedEndBytes(), endOf(first));
    List<StoredSegment> within =
        newer.stream()
            .filter(one -> one.revision() == 0 || one.range().endBytes() <= endBytes)
            .toList();
    return new ArchivedStream(
        name, segments.with(within), gaps, record, attributes, path, damages, atDrain);
  }

  /**
   * The order of prefixes. Maps find a stream by it where an archive names many with one id, which
   * nobody but a forger has a use for.
   */
  @Override
  public int compareTo(ArchivedStream other) {
    return prefix().compareTo(other.prefix());
  }

  /** The identity of an object, as it is the default, takes longer to find out. */
  @Override
  public int hashCode() {
    return id().hashCode();
  }

  @Override
  public String toString() {
    return prefix();
  }
}
