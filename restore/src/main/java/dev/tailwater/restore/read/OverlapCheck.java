package dev.tailwater.restore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.PackedAt;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Finds segments of one stream that have different bytes for the same offsets. Those of different
 * revisions may differ. A range of a pack agrees with a segment that has all of it if that has the
 * checksum that the pack states: then the pack need not be read. Thread-safe; each {@link Hasher}
 * is for one thread.
 */
public final class OverlapCheck {
  /** That of all streams of a single segment, as nearly all are: there is nothing to note. */
  private static final OverlapCheck NONE = new OverlapCheck(Map.of(), List.of());

  private final Map<Long, EqualRanges> byRevision;

  /** Ranges of packs with first bytes, by start; none where no segment can have them. */
  private final List<StoredSegment> packed;

  /** Those of which a segment has the same bytes. */
  @GuardedBy("this")
  private final Set<StoredSegment> agreed;

  private OverlapCheck(Map<Long, EqualRanges> byRevision, List<StoredSegment> packed) {
    this.byRevision = Map.copyOf(byRevision);
    this.packed = List.copyOf(packed);
    this.agreed = packed.isEmpty() ? Set.of() : Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** Prepares the check of one stream. */
  public static OverlapCheck of(ArchivedStream stream) {
    if (stream.segments().size() < 2) {
      return NONE;
    }
    Map<Long, EqualRanges> byRevision = new TreeMap<>();
    stream.segments().stream()
        .collect(Collectors.groupingBy(StoredSegment::revision))
        .forEach((revision, segments) -> byRevision.put(revision, EqualRanges.of(segments)));
    boolean inBoth = stream.segments().stream().anyMatch(one -> one.pack().isEmpty());
    return new OverlapCheck(
        byRevision,
        inBoth
            ? stream.segments().stream()
                .filter(one -> one.pack().isPresent() && one.revision() == 0)
                .toList()
            : List.of());
  }

  /** Takes the raw bytes of one segment; they count only after {@link Hasher#accept}. */
  public Hasher hasher(String key, StoredSegment segment) {
    return new Hasher(equals(segment).hasher(key, segment.range()), segment, packedIn(segment));
  }

  /** Returns the ranges of packs of which a segment has all bytes, and vouches for as much. */
  private List<StoredSegment> packedIn(StoredSegment segment) {
    if (packed.isEmpty() || segment.pack().isPresent()) {
      return List.of();
    }
    List<StoredSegment> within = new ArrayList<>();
    for (int i = firstFrom(segment.range().startBytes()); i < packed.size(); i++) {
      StoredSegment range = packed.get(i);
      if (range.range().startBytes() >= segment.range().endBytes()) {
        break;
      }
      if (range.range().endBytes() <= segment.range().endBytes()
          && (segment.encrypted() || !range.encrypted())) {
        within.add(range);
      }
    }
    return within;
  }

  private int firstFrom(long startBytes) {
    int low = 0;
    int high = packed.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (packed.get(middle).range().startBytes() < startBytes) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A segment that was not listed at first has a revision of its own at most. */
  private EqualRanges equals(StoredSegment segment) {
    EqualRanges equal = byRevision.get(segment.revision());
    return equal == null ? EqualRanges.of(List.of()) : equal;
  }

  /**
   * Opens a segment and compares its bytes with those of the others; tries again what may work the
   * next time.
   *
   * @throws dev.tailwater.archive.ArchiveException the segment is damaged or cannot be opened
   * @throws dev.tailwater.destination.DestinationException it cannot be read
   */
  public void compare(SegmentSource source, ArchivedStream stream, StoredSegment segment)
      throws IOException {
    String key = stream.keyOf(segment);
    AtomicLong takenBytes = new AtomicLong();
    source
        .retry()
        .call(
            () -> {
              Hasher attempt = hasher(key, segment);
              try {
                source.open(stream, segment, attempt);
                return attempt;
              } finally {
                takenBytes.addAndGet(attempt.takenBytes);
              }
            },
            takenBytes::get)
        .accept();
  }

  /** Whether no segments overlap: then there is nothing to compare. */
  public boolean isEmpty() {
    return byRevision.isEmpty() || byRevision.values().stream().allMatch(EqualRanges::isEmpty);
  }

  /** Whether a segment has bytes that another one has too, and was not compared yet. */
  public boolean wants(String key, StoredSegment segment) {
    return !agrees(segment) && equals(segment).wants(key, segment.range());
  }

  private synchronized boolean agrees(StoredSegment segment) {
    return agreed.contains(segment);
  }

  private synchronized void note(List<StoredSegment> within, RangeSums sums) {
    for (int i = 0; i < within.size(); i++) {
      OptionalInt stated =
          within.get(i).pack().map(PackedAt::range).stream()
              .mapToInt(PackedRange::rawCrc32c)
              .findFirst();
      if (stated.isPresent() && stated.getAsInt() == sums.rawCrc32c(i)) {
        agreed.add(within.get(i));
      }
    }
  }

  /** One entry for each pair of segments that were found to disagree. */
  public List<Damage> conflicts() {
    return byRevision.isEmpty()
        ? List.of()
        : byRevision.values().stream().flatMap(equal -> equal.conflicts().stream()).toList();
  }

  /** The raw bytes of one segment, from its start to its end. */
  public final class Hasher extends OutputStream {
    private final EqualRanges.Hasher hasher;
    private final List<StoredSegment> within;
    private final RangeSums sums;
    private long takenBytes;

    private Hasher(EqualRanges.Hasher hasher, StoredSegment segment, List<StoredSegment> within) {
      this.hasher = Objects.requireNonNull(hasher);
      this.within = within;
      this.sums =
          new RangeSums(
              segment.range().startBytes(), within.stream().map(StoredSegment::range).toList());
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) {
      hasher.write(bytes, from, lengthBytes);
      sums.write(bytes, from, lengthBytes);
      takenBytes += lengthBytes;
    }

    /** The segment turned out to be whole: compares it with the others. */
    public void accept() {
      hasher.accept();
      note(within, sums);
    }
  }
}
