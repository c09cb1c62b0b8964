package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what the object names do not tell about one stream: its last known path, its end, and why
 * ranges are missing. What cannot be read is noted, and the object names count. For one use by one
 * thread.
 */
final class StreamReader {
  private static final String UNREADABLE = "not readable";

  private final SegmentSource source;
  private final ListedStream listed;
  private final ArchivedDrains drains;

  /** Where the bytes of the stream end, whether or not they were there at the moment. */
  private final long endBytes;

  private List<Damage> damages = List.of();
  private List<ByteRange> untold = List.of();
  private Optional<StreamRecord> record = Optional.empty();

  /** Whether stream.json tells something of the moment, and not only of what came later. */
  private boolean isToldByRecord;

  private boolean isRecordLater;

  private ArchivedStream.AttributesTold attributes = ArchivedStream.AttributesTold.NONE;
  private LastPath path;

  StreamReader(SegmentSource source, ListedStream listed, ArchivedDrains drains) {
    this.source = source;
    this.listed = listed;
    this.drains = drains;
    this.endBytes = listed.endBytes();
    this.path = new LastPath(listed.name.birthPath(), PathSource.BIRTH);
  }

  /** Finds the last known path: stream.json, else the newest segment's header, else the key. */
  PosixPath readPath(boolean openHeaders) throws IOException {
    if (source.isOfMoment()) {
      noteDropped();
      keepWhatWasSealed();
    }
    if (listed.hasRecord) {
      readRecord();
    }
    Optional<PackedRecord> packed = listed.packedRecord();
    if (packed.isPresent() && isLatest(packed.get())) {
      boolean isLeft = record.isPresent() && packed.get().isLeftFor(record.get());
      attributes = packed.get().attributesTold(record, source.isChecked());
      record = Optional.of(packed.get().toRecord(record));
      path =
          isLeft
              ? pathOf(
                  record.get(), listed.recordModifiedMillis, recordedArrivalNanos(record.get()))
              : pathOf(record.get(), packed.get().deliveredAtMillis(), packed.get().arrivalNanos());
    } else if (record.isPresent()) {
      attributes =
          new ArchivedStream.AttributesTold(record.get().toldAtMillis(), source.isChecked());
      path = pathOf(record.get(), listed.recordModifiedMillis, recordedArrivalNanos(record.get()));
    } else if (openHeaders) {
      readNewestHeader();
    }
    if (record.isPresent() && record.get().end().isPresent() && isOvertaken(record.get())) {
      record = record.map(StreamRecord::withoutEnd);
      if (openHeaders) {
        readNewestHeader();
      }
    }
    if (source.isOfMoment()) {
      noteIfPerhapsThere();
    }
    return path.path();
  }

  /** Whether the file came back and grew after its end, and its agent died before it said so. */
  private boolean isOvertaken(StreamRecord told) {
    return told.end()
        .map(StreamRecord.End::sizeBytes)
        .filter(size -> listed.segments().stream().anyMatch(s -> s.range().endBytes() > size))
        .filter(size -> build().covered().contiguousEnd(size) > size)
        .isPresent();
  }

  /** Notes the bytes that were replaced later and are not kept: older ones are not these. */
  private void noteDropped() {
    for (ListedStream.Dropped bytes : listed.dropped()) {
      if (bytes.encrypted() || !source.refusesPlain()) {
        untold = with(untold, bytes.range());
        note(Damage.untold(bytes.key(), Moments.droppedBytes(bytes.range())));
      }
    }
  }

  /** Leaves out the segments that were sealed after the moment as of which the archive is read. */
  private void keepWhatWasSealed() throws IOException {
    ArchivedStream stream = build();
    List<StoredSegment> untold = new ArrayList<>();
    for (StoredSegment segment : List.copyOf(listed.segments())) {
      String key = stream.keyOf(segment);
      try {
        SegmentSource.Sealed sealed = source.sealed(stream, segment);
        if (sealed != SegmentSource.Sealed.BY_THEN) {
          listed.removeSegment(segment);
        }
        if (sealed == SegmentSource.Sealed.UNTOLD) {
          untold.add(segment);
        }
      } catch (ArchiveException e) {
        listed.removeSegment(segment);
        note(Damage.of(e));
      } catch (DestinationException e) {
        listed.removeSegment(segment);
        note(key, e);
      }
    }
    RangeSet covered = build().covered();
    for (StoredSegment segment : untold) {
      if (!covered.contains(segment.range())) {
        String why = Moments.untoldBytes(segment.range());
        note(Damage.untold(stream.keyOf(segment), why));
      }
    }
    listed.untold().stream().filter(one -> !Moments.isAboutPresence(one)).forEach(this::note);
  }

  /** What was written later may have replaced what told of an empty file at the moment. */
  private void noteIfPerhapsThere() {
    if (isThere()) {
      return;
    }
    if (isRecordLater && Moments.mayHaveBegun(listed.name.stream(), source.atMillis())) {
      note(Damage.untold(listed.name.recordKey(), Moments.UNTOLD_PRESENCE));
    } else {
      listed.untold().stream().filter(Moments::isAboutPresence).findFirst().ifPresent(this::note);
    }
  }

  /** Returns what a record says of the moment as of which the archive is read. */
  private Optional<StreamRecord> asOfMoment(StreamRecord found) {
    long toldAtMillis =
        found.toldAtMillis() == Long.MIN_VALUE ? listed.recordModifiedMillis : found.toldAtMillis();
    if (toldAtMillis <= source.atMillis()) {
      return Optional.of(found);
    }
    List<StreamRecord.KnownPath> paths =
        found.paths().stream().filter(path -> path.sinceMillis() <= source.atMillis()).toList();
    Optional<StreamRecord.End> end =
        found.end().filter(ended -> ended.atMillis() <= source.atMillis());
    boolean renamedLater = paths.size() < found.paths().size();
    if (renamedLater
        && !found.lastPath().equals(found.birthPath())
        && Moments.mayHaveBegun(listed.name.stream(), source.atMillis())) {
      note(Damage.untold(listed.name.recordKey(), Moments.UNTOLD_PATH));
    }
    isRecordLater = paths.isEmpty() && end.isEmpty();
    return isRecordLater
        ? Optional.empty()
        : Optional.of(
            new StreamRecord(
                found.stream(),
                found.birthPath(),
                paths,
                end,
                end.map(StreamRecord.End::sizeBytes).orElse(0L),
                found.permissions(),
                found.modificationTimeNanos(),
                false,
                found.owner()));
  }

  /** Whether anything of the stream was there at the moment as of which the archive is read. */
  boolean isThere() {
    if (source.isChecked() && listed.hasRecord && isOnlyARefusedRecord()) {
      return false;
    }
    if (!source.isOfMoment()) {
      return true;
    }
    return listed.mentioned
        || !listed.segments().isEmpty()
        || !listed.explained().isEmpty()
        || isToldByRecord
        || !drains.of(listed.name.agent(), listed.name.stream()).left().isEmpty()
        || damages.stream().anyMatch(one -> !one.why().equals(Moments.UNTOLD_PATH));
  }

  /** Whether it is told that the stream had ended. */
  boolean hasEnded() {
    return record.isPresent() && record.get().end().isPresent();
  }

  /** Notes the stream, selected or not, for the agent that says how many it had delivered. */
  void noteIfAlive() {
    boolean hasEndedOrChanged =
        record.filter(told -> told.end().isPresent() || told.changedInPlace()).isPresent();
    if (!hasEndedOrChanged && !Moments.isPresenceUntold(damages) && isThere()) {
      boolean isSigned =
          !source.isChecked() || record.isPresent() || listed.packedRecord().isPresent();
      drains.found(listed.name.agent(), listed.name.stream(), isSigned);
    }
  }

  private boolean isOnlyARefusedRecord() {
    return record.isEmpty()
        && listed.segments().isEmpty()
        && listed.explained().isEmpty()
        && !listed.mentioned
        && damages.stream()
            .anyMatch(
                one -> one.kind() == Damage.Kind.UNSIGNED || one.kind() == Damage.Kind.FORGED);
  }

  /** Whether packs say something later than stream.json; both by the agent's clock. */
  private boolean isLatest(PackedRecord packed) {
    return record.isEmpty() || record.get().toldAtMillis() < packed.sealedAtMillis();
  }

  private static LastPath pathOf(
      StreamRecord found, long writtenAtMillis, OptionalLong arrivalNanos) {
    OptionalLong since =
        found.paths().isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(Math.min(found.paths().getLast().sinceMillis(), writtenAtMillis));
    return new LastPath(found.lastPath(), PathSource.RECORD, since, arrivalNanos);
  }

  private static OptionalLong recordedArrivalNanos(StreamRecord found) {
    return found.paths().isEmpty() ? OptionalLong.empty() : found.paths().getLast().arrivalNanos();
  }

  private void readRecord() throws IOException {
    String key = listed.name.recordKey();
    try {
      byte[] json = source.record(key, listed.name.agent());
      StreamRecord found = StreamJson.read(json, key);
      listed.recordSignedAtMillis = source.signedAtMillis(json);
      if (!found.stream().equals(listed.name.stream())) {
        note(Damage.of(key, "it is about another stream: " + found.stream()));
      } else {
        record = asOfMoment(found);
        isToldByRecord = record.isPresent();
      }
    } catch (NotAuthenticException e) {
      note(Damage.of(e));
    } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
      note(key, e);
    }
  }

  /** Prefers an encrypted segment. */
  private void readNewestHeader() throws IOException {
    ArchivedStream stream = build();
    boolean encrypted = stream.segments().stream().anyMatch(StoredSegment::encrypted);
    Optional<StoredSegment> newest =
        stream.segments().stream()
            .filter(segment -> segment.encrypted() == encrypted)
            .max(
                Comparator.<StoredSegment>comparingLong(segment -> segment.range().endBytes())
                    .thenComparingLong(StoredSegment::modifiedMillis));
    if (newest.isEmpty()) {
      return;
    }
    try {
      SegmentHeader header = source.header(stream, newest.get());
      path = new LastPath(header.path(), PathSource.HEADER).arrivedAt(header.arrivalNanos());
    } catch (ArchiveException | DestinationException e) {
      // What is known of the path stays; whoever needs the bytes reports the segment.
    }
  }

  /** Reads why ranges are missing, and returns the stream. */
  ArchivedStream read() throws IOException {
    List<StoredGap> gaps = gaps();
    noteThoseBehindTheEnd();
    return build(gaps);
  }

  private List<StoredGap> gaps() throws IOException {
    if (listed.gaps().isEmpty()) {
      return listed.explained();
    }
    List<StoredGap> gaps = new ArrayList<>();
    for (ByteRange range : listed.gaps()) {
      reason(range).ifPresent(reason -> gaps.add(new StoredGap(range, reason)));
    }
    gaps.addAll(listed.explained());
    return gaps;
  }

  /** Returns why a range is missing; empty if it was not yet known to be. */
  private Optional<String> reason(ByteRange range) throws IOException {
    String key = ArchiveNames.gap(listed.name.prefix(), range);
    try {
      GapRecord gap = GapJson.read(source.record(key, listed.name.agent()), key);
      if (gap.stream().equals(listed.name.stream()) && gap.range().equals(range)) {
        return gap.atMillis() <= source.atMillis() ? Optional.of(gap.reason()) : Optional.empty();
      }
      note(Damage.of(key, "it is about another stream or range"));
    } catch (NotAuthenticException e) {
      note(Damage.of(e));
      return Optional.empty();
    } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
      note(key, e);
    }
    return Optional.of(UNREADABLE);
  }

  private void note(Damage damage) {
    damages = with(damages, damage);
  }

  /** Nearly all streams have none, so they share a list. */
  private static <T> List<T> with(List<T> list, T more) {
    List<T> longer = list.isEmpty() ? new ArrayList<>(1) : list;
    longer.add(more);
    return longer;
  }

  private void note(String key, IOException e) {
    note(
        e instanceof DestinationException failed && !(e instanceof NoSuchObjectException)
            ? Damage.unreadable(key, failed)
            : Damage.of(key, String.valueOf(e.getMessage())));
  }

  private ArchivedStream build() {
    return build(List.of());
  }

  /** Of the segments, those that replace bytes which the stream has, or are first bytes. */
  private List<StoredSegment> withinEnd() {
    return isAllWithinEnd()
        ? listed.segments()
        : listed.segments().stream().filter(this::isWithinEnd).toList();
  }

  private boolean isAllWithinEnd() {
    for (int i = 0; i < listed.segments().size(); i++) {
      if (!isWithinEnd(listed.segments().get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isWithinEnd(StoredSegment segment) {
    return segment.revision() == 0 || segment.range().endBytes() <= endBytes;
  }

  /** Notes revisions that claim bytes behind the end: they are not used. */
  private void noteThoseBehindTheEnd() {
    if (isAllWithinEnd()) {
      return;
    }
    ArchivedStream stream = build();
    for (StoredSegment segment : listed.segments()) {
      if (!isWithinEnd(segment)) {
        note(
            Damage.of(
                stream.keyOf(segment),
                "it replaces the bytes " + segment.range() + ", and the stream ends before"));
      }
    }
  }

  private ArchivedStream build(List<StoredGap> gaps) {
    return new ArchivedStream(
        listed.name,
        TrustedSegments.of(withinEnd(), source.refusesPlain(), untold),
        gaps,
        record,
        attributes,
        path,
        damages,
        drains.of(listed.name.agent(), listed.name.stream()));
  }
}
