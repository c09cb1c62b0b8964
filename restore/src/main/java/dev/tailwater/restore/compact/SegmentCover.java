package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.merge.CoveredRanges;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.read.RangeSums;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which ranges in the packs of one group are left out when these are merged, since segments of the
 * streams have the same bytes. At first that is what the names of the segments say; before a pack
 * is merged, the segments are read and their bytes are compared, each segment once. The last range
 * of each stream stays: it tells how long the stream is and what its file was like. For one thread.
 */
final class SegmentCover {
  private final StoredPacks packs;
  private final CompactCount count;
  private final List<PackDirectory> directories = new ArrayList<>();
  private final IdentityHashMap<StoredPack, Integer> numbers = new IdentityHashMap<>();
  private final Map<Integer, Stream> streams = new HashMap<>();

  /** By pack: the ranges that segments seem to cover, and those of which that is certain. */
  private final List<BitSet> candidates = new ArrayList<>();

  private final List<BitSet> certain = new ArrayList<>();

  /** By pack: how many raw bytes the candidates have. */
  private final IdentityHashMap<StoredPack, Long> coveredBytes = new IdentityHashMap<>();

  /** What segments have of ranges that no segment has as a whole: by start, until when. */
  private final Map<Place, TreeMap<Long, Part>> parts = new HashMap<>();

  private final Set<String> read = new HashSet<>();
  private boolean isOutdated;

  /** A range of a pack. */
  private record Place(int pack, int index) {}

  /** What a segment has of a range. */
  private record Part(long endBytes, int rawCrc32c) {}

  /** A stream that has segments. */
  private static final class Stream {
    final PackedStream description;
    final List<StoredSegments.Stored> segments;
    final RangeSet covered = new RangeSet();
    final List<Place> places = new ArrayList<>();
    long endBytes;

    Stream(PackedStream description, List<StoredSegments.Stored> segments) {
      this.description = description;
      this.segments = segments;
      segments.forEach(segment -> covered.add(segment.range()));
    }
  }

  private SegmentCover(StoredPacks packs, CompactCount count) {
    this.packs = packs;
    this.count = count;
  }

  /**
   * Looks at the names of segments.
   *
   * @param current the packs of a group that count, in their order
   */
  static SegmentCover of(
      List<StoredPack> current, StoredSegments segments, StoredPacks packs, CompactCount count) {
    SegmentCover cover = new SegmentCover(packs, count);
    for (StoredPack pack : current) {
      cover.add(pack, segments);
    }
    cover.findCandidates();
    return cover;
  }

  private void add(StoredPack pack, StoredSegments segments) {
    PackDirectory directory = pack.opened().directory();
    int number = directories.size();
    numbers.put(pack, number);
    directories.add(directory);
    candidates.add(new BitSet());
    certain.add(new BitSet());
    String agent = directory.id().agent();
    for (PackedStream stream : directory.streams()) {
      String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
      // A plain segment is no substitute for an encrypted range.
      List<StoredSegments.Stored> alike =
          segments.of(prefix).stream()
              .filter(one -> one.encrypted() == pack.name().encrypted())
              .sorted(Comparator.comparingLong(one -> one.range().startBytes()))
              .toList();
      if (!alike.isEmpty()) {
        streams.putIfAbsent(stream.number(), new Stream(stream, alike));
      }
    }
    for (int index = 0; index < directory.ranges().size(); index++) {
      PackedRange range = directory.ranges().get(index);
      Stream stream = streams.get(range.number());
      if (stream != null && range.revision() == 0) {
        stream.places.add(new Place(number, index));
        stream.endBytes = Math.max(stream.endBytes, range.range().endBytes());
      }
    }
  }

  private void findCandidates() {
    for (Stream stream : streams.values()) {
      stream.places.removeIf(
          place ->
              range(place).range().endBytes() == stream.endBytes
                  || !stream.covered.contains(range(place).range()));
      stream.places.sort(Comparator.comparingLong(place -> range(place).range().startBytes()));
      stream.places.forEach(place -> candidates.get(place.pack()).set(place.index()));
    }
  }

  private PackedRange range(Place place) {
    return directories.get(place.pack()).ranges().get(place.index());
  }

  /** Returns how many raw bytes of a pack stay. */
  long keptRawBytes(StoredPack pack) {
    return pack.opened().directory().rawBytes() - coveredRawBytes(pack);
  }

  /** Returns about how long what stays of a pack is; its directory does. */
  long keptObjectBytes(StoredPack pack) {
    long rawBytes = Math.max(1, pack.opened().directory().rawBytes());
    long frontBytes = Math.min(pack.objectBytes(), pack.name().frontBytes());
    double keptPart = (double) keptRawBytes(pack) / rawBytes;
    return frontBytes + (long) ((pack.objectBytes() - frontBytes) * keptPart);
  }

  /** Returns whether no range of a pack stays, so that its bytes need not be read. */
  boolean coversAllOf(StoredPack pack) {
    int number = numbers.getOrDefault(pack, -1);
    return number >= 0
        && candidates.get(number).cardinality() == directories.get(number).ranges().size();
  }

  /** Returns how many raw bytes of a pack are left out. */
  long coveredRawBytes(StoredPack pack) {
    return coveredBytes.computeIfAbsent(pack, this::countCovered);
  }

  private long countCovered(StoredPack pack) {
    int number = numbers.getOrDefault(pack, -1);
    return number < 0
        ? 0
        : candidates.get(number).stream()
            .mapToLong(index -> range(new Place(number, index)).range().lengthBytes())
            .sum();
  }

  /** Returns what is left out when these packs are merged. */
  CoveredRanges of(List<StoredPack> chunk) {
    int[] ofChunk = chunk.stream().mapToInt(pack -> numbers.getOrDefault(pack, -1)).toArray();
    return (pack, index) -> ofChunk[pack] >= 0 && certain.get(ofChunk[pack]).get(index);
  }

  /**
   * Makes certain what is left out of some packs.
   *
   * @return false if it is less than the names of segments say: some of it stays
   * @throws IOException the destination failed for good
   */
  boolean verify(List<StoredPack> chunk) throws IOException {
    boolean all = true;
    for (StoredPack pack : chunk) {
      int number = numbers.getOrDefault(pack, -1);
      if (number >= 0 && !verify(number)) {
        coveredBytes.remove(pack);
        all = false;
      }
    }
    return all;
  }

  /** Returns whether segments were gone, so that longer ones may have more. */
  boolean isOutdated() {
    return isOutdated;
  }

  private boolean verify(int pack) throws IOException {
    boolean all = true;
    for (int index : candidates.get(pack).stream().toArray()) {
      Place place = new Place(pack, index);
      if (!certain.get(pack).get(index) && !verify(place)) {
        candidates.get(pack).clear(index);
        all = false;
      }
    }
    return all;
  }

  private boolean verify(Place place) throws IOException {
    PackedRange range = range(place);
    Stream stream = streams.get(range.number());
    if (stream == null) {
      return false;
    }
    for (StoredSegments.Stored segment : stream.segments) {
      if (overlap(segment.range(), range.range())) {
        read(stream, segment);
      }
    }
    if (!certain.get(place.pack()).get(place.index()) && hasSameParts(place)) {
      certain.get(place.pack()).set(place.index());
    }
    return certain.get(place.pack()).get(place.index());
  }

  private static boolean overlap(ByteRange one, ByteRange other) {
    return one.startBytes() < other.endBytes() && other.startBytes() < one.endBytes();
  }

  /** Reads a segment, unless it was read, and compares it with all ranges that it seems to have. */
  private void read(Stream stream, StoredSegments.Stored segment) throws IOException {
    String agent = directories.getFirst().id().agent();
    ArchiveObject.Segment name = StoredSegments.name(agent, stream.description, segment);
    if (!read.add(name.key())) {
      return;
    }
    List<Place> places =
        stream.places.stream()
            .filter(place -> overlap(segment.range(), range(place).range()))
            .toList();
    List<ByteRange> shared =
        places.stream()
            .map(place -> range(place).range())
            .map(
                range ->
                    new ByteRange(
                        Math.max(range.startBytes(), segment.range().startBytes()),
                        Math.min(range.endBytes(), segment.range().endBytes())))
            .toList();
    RangeSums sums;
    try {
      sums = packs.sums(name, shared);
    } catch (NoSuchObjectException gone) {
      isOutdated = true; // Merged just now.
      return;
    } catch (ArchiveException e) {
      count.damages.add(Damage.of(e));
      return;
    }
    for (int i = 0; i < shared.size(); i++) {
      note(places.get(i), shared.get(i), sums.rawCrc32c(i), name.key());
    }
  }

  private void note(Place place, ByteRange part, int rawCrc32c, String key) {
    PackedRange range = range(place);
    if (!part.equals(range.range())) {
      parts
          .computeIfAbsent(place, any -> new TreeMap<>())
          .merge(
              part.startBytes(),
              new Part(part.endBytes(), rawCrc32c),
              (one, other) -> one.endBytes() >= other.endBytes() ? one : other);
    } else if (rawCrc32c == range.rawCrc32c()) {
      certain.get(place.pack()).set(place.index());
    } else {
      String pack = packKey(place);
      String why = "it has other bytes than " + pack + " from byte " + part.startBytes();
      count.damages.add(Damage.contradiction(key, why + " of the stream"));
    }
  }

  private String packKey(Place place) {
    return numbers.entrySet().stream()
        .filter(pack -> pack.getValue() == place.pack())
        .map(pack -> pack.getKey().name().key())
        .findFirst()
        .orElse("a pack");
  }

  /** Whether segments that follow each other have the bytes of a range. */
  private boolean hasSameParts(Place place) {
    PackedRange range = range(place);
    TreeMap<Long, Part> found = parts.getOrDefault(place, new TreeMap<>());
    long at = range.range().startBytes();
    int crc = 0;
    while (at < range.range().endBytes()) {
      Part part = found.get(at);
      if (part == null) {
        return false;
      }
      crc = Crc32cCombination.combine(crc, part.rawCrc32c(), part.endBytes() - at);
      at = part.endBytes();
    }
    return crc == range.rawCrc32c();
  }
}
