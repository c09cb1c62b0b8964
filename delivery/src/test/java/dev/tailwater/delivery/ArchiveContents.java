package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.open.PackSlice;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything an archive holds, opened and put together; bytes held twice are counted. */
public final class ArchiveContents {
  /** A stream as it can be restored. */
  public static final class StreamContents {
    final StreamId id;
    final RangeSet covered = new RangeSet();
    final List<GapRecord> gaps = new ArrayList<>();
    final Set<Long> arrivals = new TreeSet<>();
    String birthPath = "";

    /** What packs hold, and segments as they were delivered. */
    private final HeldBytes delivered = new HeldBytes();

    /** What segments hold, long ones too; what is gathered from packs stays in these. */
    private final HeldBytes inSegments = new HeldBytes();

    int segments;
    int revisions;
    private byte[] bytes = new byte[0];
    private final TreeMap<Long, List<Revised>> revised = new TreeMap<>();
    private String path = "";
    private long sizeBytes;
    private int permissions;

    /** What the header of the last segment says; empty if there is no segment. */
    private OptionalInt sealedPermissions = OptionalInt.empty();

    private long modificationTimeNanos;
    private long toldTimeNanos;
    private long toldTimeAtMillis = Long.MIN_VALUE;
    private boolean changedInPlace;
    private Optional<StreamRecord.End> end = Optional.empty();

    /** Ranges of one kind of objects. */
    private static final class HeldBytes {
      private final RangeSet covered = new RangeSet();
      private long held;

      private void add(ByteRange range) {
        covered.add(range);
        held += range.lengthBytes();
      }

      private boolean isTwice() {
        return held != covered.totalBytes();
      }
    }

    /** Bytes that replace others. */
    private record Revised(ByteRange range, @SuppressWarnings("ArrayRecordComponent") byte[] raw) {}

    private boolean endIsSaid;
    private long endSaidAtMillis;

    /** What stream.json says. */
    private Optional<StreamRecord> written = Optional.empty();

    /** What packs say, in the form of a record. */
    private Optional<StreamRecord> packed = Optional.empty();

    private long packedAtMillis = Long.MIN_VALUE;

    StreamContents(StreamId id) {
      this.id = id;
    }

    private void describe(PackedStream described) {
      birthPath = described.birthPath().toString();
      path = described.path().toString();
      permissions = described.permissions();
      described.arrivalNanos().ifPresent(arrivals::add);
      if (!path.equals(birthPath)) {
        makeRecord(0);
      }
    }

    private void add(StreamFact fact) {
      long sinceMillis = 0;
      switch (fact) {
        case StreamFact.Renamed renamed -> {
          path = renamed.path().toString();
          sinceMillis = renamed.sinceMillis();
        }
        case StreamFact.Attributes attributes -> {
          sizeBytes = attributes.sizeBytes();
          permissions = attributes.permissions();
          modificationTimeNanos = attributes.modificationTimeNanos();
        }
        case StreamFact.Ended ended -> {
          sizeBytes = ended.sizeBytes();
          endIsSaid = true;
          endSaidAtMillis = ended.atMillis();
          end =
              Optional.of(
                  new StreamRecord.End(ended.reason(), ended.sizeBytes(), ended.atMillis()));
        }
        case StreamFact.Continued _ -> {
          endIsSaid = true;
          endSaidAtMillis = packedAtMillis;
          end = Optional.empty();
        }
        case StreamFact.Dropped _ -> {}
        case StreamFact.ChangedInPlace changed -> changedInPlace = changed.changed();
        case StreamFact.Missing missing ->
            gaps.add(new GapRecord(id, missing.range(), missing.reason(), missing.atMillis()));
      }
      makeRecord(sinceMillis);
    }

    /** What packs say, in the form of a record. */
    private void makeRecord(long sinceMillis) {
      packed =
          Optional.of(
              new StreamRecord(
                  id,
                  PosixPath.of(birthPath),
                  List.of(new StreamRecord.KnownPath(PosixPath.of(path), sinceMillis)),
                  endBesideTheRecord(),
                  sizeBytes,
                  permissions,
                  modificationTimeNanos,
                  changedInPlace,
                  written.flatMap(StreamRecord::owner)));
    }

    private Optional<StreamRecord.End> endBesideTheRecord() {
      boolean recordIsLater =
          !endIsSaid || written.filter(r -> r.toldAtMillis() > endSaidAtMillis).isPresent();
      return recordIsLater ? written.flatMap(StreamRecord::end) : end;
    }

    private void place(ByteRange range, byte[] raw, boolean isSegment, boolean isMerged) {
      requireSame(range, raw);
      if (range.endBytes() > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.toIntExact(range.endBytes()));
      }
      System.arraycopy(raw, 0, bytes, Math.toIntExact(range.startBytes()), raw.length);
      covered.add(range);
      if (!isMerged) {
        delivered.add(range);
      }
      if (isSegment) {
        inSegments.add(range);
      }
      segments++;
    }

    /** Objects that have the same bytes of a stream must agree on them. */
    private void requireSame(ByteRange range, byte[] raw) {
      for (ByteRange held : covered.ranges()) {
        int from = Math.toIntExact(Math.max(held.startBytes(), range.startBytes()));
        int to = Math.toIntExact(Math.min(held.endBytes(), range.endBytes()));
        int start = Math.toIntExact(range.startBytes());
        if (from < to && !Arrays.equals(bytes, from, to, raw, from - start, to - start)) {
          throw new AssertionError(id + " has different bytes within " + range);
        }
      }
    }

    private void revise(long revision, ByteRange range, byte[] raw) {
      revised.computeIfAbsent(revision, _ -> new ArrayList<>()).add(new Revised(range, raw));
      revisions++;
    }

    public StreamId id() {
      return id;
    }

    public String birthPath() {
      return birthPath;
    }

    /** The ranges that segments hold. */
    public RangeSet covered() {
      return covered;
    }

    public List<GapRecord> gaps() {
      return gaps;
    }

    /** What stream.json or packs say: whichever is later. */
    public Optional<StreamRecord> record() {
      return written
          .filter(r -> packed.isEmpty() || r.toldAtMillis() >= packedAtMillis)
          .or(() -> packed);
    }

    /** The mode that the header of the last segment tells. */
    OptionalInt sealedPermissions() {
      return sealedPermissions;
    }

    /** The modification time that packs told last. */
    long modificationTimeNanos() {
      return modificationTimeNanos;
    }

    private void tellTime(long nanos, long atMillis) {
      if (atMillis >= toldTimeAtMillis) {
        toldTimeNanos = nanos;
        toldTimeAtMillis = atMillis;
      }
    }

    /** The modification time that any object tells of the latest moment, as readers take it. */
    long toldTimeNanos() {
      return written
          .filter(record -> record.toldAtMillis() > toldTimeAtMillis)
          .map(StreamRecord::modificationTimeNanos)
          .orElse(toldTimeNanos);
    }

    /** The bytes from the beginning to the first that is missing, as they were last. */
    public byte[] prefix() {
      return upTo(covered.contiguousEnd(0));
    }

    /** The bytes to the last one that is there, as they were last; zeros where some are missing. */
    public byte[] held() {
      return upTo(covered.ranges().stream().mapToLong(ByteRange::endBytes).max().orElse(0));
    }

    private byte[] upTo(long endBytes) {
      byte[] now = Arrays.copyOf(bytes, Math.toIntExact(endBytes));
      for (List<Revised> same : revised.values()) {
        for (Revised one : same) {
          int start = Math.toIntExact(Math.min(one.range.startBytes(), endBytes));
          int length = Math.toIntExact(Math.min(one.range.endBytes(), endBytes)) - start;
          System.arraycopy(one.raw, 0, now, start, length);
        }
      }
      return now;
    }

    /** Whether bytes are there twice that need not be: a gathered segment has some of packs. */
    public boolean holdsBytesTwice() {
      return delivered.isTwice() || inSegments.isTwice();
    }

    /** Returns how many bytes are in long segments, and in packs or short segments too. */
    long gatheredBytes() {
      return delivered.covered.totalBytes()
          + inSegments.covered.totalBytes()
          - covered.totalBytes();
    }

    /** Whether gap records cover the range. */
    public boolean admitsLossOf(ByteRange range) {
      RangeSet all = new RangeSet();
      covered.ranges().forEach(all::add);
      gaps.forEach(gap -> all.add(gap.range()));
      return all.contains(range);
    }

    @Override
    public String toString() {
      return id
          + " born at "
          + birthPath
          + " holding "
          + covered.ranges()
          + " gaps "
          + gaps.stream().map(GapRecord::range).toList()
          + " record "
          + record();
    }
  }

  private static final int MAX_TRIES = 50;

  private final Map<StreamId, StreamContents> streams = new TreeMap<>();

  /** The streams of each group of packs, by their numbers. */
  private final Map<PackGroup, Map<Integer, StreamContents>> numbers = new TreeMap<>();

  private int packs;

  /** All of it; what was merged between a list and a read is listed again, as readers do. */
  public static ArchiveContents load(Destination destination, List<Identity> identities)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return loadOnce(destination, identities);
      } catch (NoSuchObjectException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private static ArchiveContents loadOnce(Destination destination, List<Identity> identities)
      throws IOException {
    ArchiveContents contents = new ArchiveContents();
    Optional<String> after = Optional.empty();
    Listing page;
    do {
      page = destination.list("", after, 1000);
      for (Entry entry : page.entries()) {
        Optional<ArchiveObject> object = ArchiveNames.parse(entry.key());
        Optional<PackName> pack = PackName.parse(entry.key());
        if (object.isPresent()) {
          contents.add(destination, object.get(), identities);
        } else if (pack.isPresent()) {
          contents.add(destination, pack.get(), identities);
        }
      }
      after = page.nextAfter();
    } while (page.more());
    return contents;
  }

  private void add(Destination destination, ArchiveObject object, List<Identity> identities)
      throws IOException {
    StreamContents stream = streams.computeIfAbsent(object.stream(), StreamContents::new);
    stream.birthPath = object.birthPath().toString();
    try (InputStream in = destination.read(object.key(), 0, Long.MAX_VALUE)) {
      switch (object) {
        case ArchiveObject.Segment segment -> {
          ByteArrayOutputStream raw = new ByteArrayOutputStream();
          SegmentHeader header = new SegmentOpener().open(segment, in, identities, raw);
          header.arrivalNanos().ifPresent(stream.arrivals::add);
          stream.tellTime(header.modificationTimeNanos(), header.sealedAtMillis());
          stream.sealedPermissions = OptionalInt.of(header.permissions());
          stream.place(segment.range(), raw.toByteArray(), true, header.merged());
        }
        case ArchiveObject.Gap gap -> stream.gaps.add(GapJson.read(in.readAllBytes(), gap.key()));
        case ArchiveObject.Stream record ->
            stream.written = Optional.of(StreamJson.read(in.readAllBytes(), record.key()));
      }
    }
  }

  private void add(Destination destination, PackName name, List<Identity> identities)
      throws IOException {
    byte[] object;
    try (InputStream in = destination.read(name.key(), 0, Long.MAX_VALUE)) {
      object = in.readAllBytes();
    }
    OpenedPack pack = new PackOpener().open(name, new ByteArrayInputStream(object), identities);
    PackDirectory directory = pack.directory();
    Map<Integer, StreamContents> group =
        numbers.computeIfAbsent(name.id().group(), _ -> new TreeMap<>());
    for (PackedStream described : directory.streams()) {
      StreamContents stream = streams.computeIfAbsent(described.stream(), StreamContents::new);
      group.put(described.number(), stream);
      stream.packedAtMillis = directory.sealedAtMillis();
      stream.describe(described);
    }
    for (int i = 0; i < directory.ranges().size(); i++) {
      PackedRange range = directory.ranges().get(i);
      PackSlice slice = pack.slice(i, i + 1);
      ByteArrayOutputStream raw = new ByteArrayOutputStream();
      int from = Math.toIntExact(slice.objectRange().startBytes());
      slice.read(
          new ByteArrayInputStream(
              object, from, Math.toIntExact(slice.objectRange().lengthBytes())),
          new PackSlice.Sink() {
            @Override
            public void begin(PackedRange begun) {}

            @Override
            public void accept(byte[] bytes, int lengthBytes) {
              raw.write(bytes, 0, lengthBytes);
            }

            @Override
            public void end(PackedRange ended) {}
          });
      StreamContents stream = Objects.requireNonNull(group.get(range.number()), name.key());
      stream.tellTime(range.modificationTimeNanos(), directory.sealedAtMillis(range));
      if (range.revision() > 0) {
        stream.revise(range.revision(), range.range(), raw.toByteArray());
        stream.modificationTimeNanos = range.modificationTimeNanos();
        continue;
      }
      stream.place(range.range(), raw.toByteArray(), false, false);
      stream.packedAtMillis = directory.sealedAtMillis();
      stream.sizeBytes = Math.max(stream.sizeBytes, range.range().endBytes());
      stream.modificationTimeNanos = range.modificationTimeNanos();
    }
    for (StreamFact fact : directory.facts()) {
      StreamContents stream = Objects.requireNonNull(group.get(fact.number()), name.key());
      stream.packedAtMillis = directory.sealedAtMillis();
      stream.add(fact);
      boolean counts =
          name.id().isMerged()
              || directory.ranges().stream().noneMatch(r -> r.number() == fact.number());
      if (counts && fact instanceof StreamFact.Attributes told) {
        stream.tellTime(told.modificationTimeNanos(), told.seenAtMillis());
      }
    }
    packs++;
  }

  /** The mode that packs tell of a stream. */
  int permissionsOf(StreamId stream) {
    return Objects.requireNonNull(streams.get(stream)).permissions;
  }

  /** How many packs there are. */
  public int packs() {
    return packs;
  }

  public List<StreamContents> streams() {
    return List.copyOf(streams.values());
  }

  /** Returns the streams that were first seen at this path. */
  List<StreamContents> bornAt(String path) {
    return streams.values().stream().filter(s -> s.birthPath.equals(path)).toList();
  }
}
