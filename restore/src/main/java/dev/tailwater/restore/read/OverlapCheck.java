package dev.tailwater.restore.read;

import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds segments of one stream that have different bytes for the same offsets. Those of different
 * revisions may differ. Thread-safe; each {@link Hasher} is for one thread.
 */
public final class OverlapCheck {
  private final Map<Long, EqualRanges> byRevision;

  private OverlapCheck(Map<Long, EqualRanges> byRevision) {
    this.byRevision = Map.copyOf(byRevision);
  }

  /** Prepares the check of one stream. */
  public static OverlapCheck of(ArchivedStream stream) {
    if (stream.segments().size() < 2) {
      return new OverlapCheck(Map.of());
    }
    Map<Long, EqualRanges> byRevision = new TreeMap<>();
    stream.segments().stream()
        .collect(Collectors.groupingBy(StoredSegment::revision))
        .forEach((revision, segments) -> byRevision.put(revision, EqualRanges.of(segments)));
    return new OverlapCheck(byRevision);
  }

  /** Takes the raw bytes of one segment; they count only after {@link Hasher#accept}. */
  public Hasher hasher(String key, StoredSegment segment) {
    return new Hasher(equals(segment).hasher(key, segment.range()));
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
    source
        .retry()
        .call(
            () -> {
              Hasher attempt = hasher(key, segment);
              source.open(stream, segment, attempt);
              return attempt;
            })
        .accept();
  }

  /** Whether no segments overlap: then there is nothing to compare. */
  public boolean isEmpty() {
    return byRevision.values().stream().allMatch(EqualRanges::isEmpty);
  }

  /** Whether a segment has bytes that another one has too, and was not compared yet. */
  public boolean wants(String key, StoredSegment segment) {
    return equals(segment).wants(key, segment.range());
  }

  /** One entry for each pair of segments that were found to disagree. */
  public List<Damage> conflicts() {
    return byRevision.values().stream().flatMap(equal -> equal.conflicts().stream()).toList();
  }

  /** The raw bytes of one segment, from its start to its end. */
  public static final class Hasher extends OutputStream {
    private final EqualRanges.Hasher hasher;

    private Hasher(EqualRanges.Hasher hasher) {
      this.hasher = Objects.requireNonNull(hasher);
    }

    @Override
    public void write(int b) {
      hasher.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) {
      hasher.write(bytes, from, lengthBytes);
    }

    /** The segment turned out to be whole: compares it with the others. */
    public void accept() {
      hasher.accept();
    }
  }
}
