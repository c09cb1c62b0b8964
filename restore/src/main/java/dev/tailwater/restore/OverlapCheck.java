package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Finds segments of one stream that have different bytes for the same offsets. The stream is cut at
 * every start and end of a segment; between two cuts every segment that has the bytes must have the
 * same checksum. Memory: one checksum per cut, nothing where segments do not overlap. Thread-safe;
 * each {@link Lane} is for one thread.
 */
final class OverlapCheck {
  private record Seen(int crc32c, String key) {}

  /** Enough to know; a hostile archive may have any number. */
  private static final int MAX_CONFLICTS = 100;

  private final long[] cuts;
  private final Map<Long, Seen> seenByStart = new TreeMap<>();
  private final List<Damage> conflicts = new ArrayList<>();

  private OverlapCheck(long[] cuts) {
    this.cuts = cuts;
  }

  static OverlapCheck of(ArchivedStream stream) {
    TreeSet<Long> cuts = new TreeSet<>();
    long end = 0;
    boolean overlap = false;
    for (StoredSegment segment : stream.segments()) {
      overlap |= segment.range().startBytes() < end;
      end = Math.max(end, segment.range().endBytes());
    }
    if (!overlap) {
      return new OverlapCheck(new long[0]);
    }
    for (StoredSegment segment : stream.segments()) {
      cuts.add(segment.range().startBytes());
      cuts.add(segment.range().endBytes());
    }
    return new OverlapCheck(cuts.stream().mapToLong(Long::longValue).toArray());
  }

  /** Takes the raw bytes of one segment; they count only after {@link Lane#accept}. */
  Lane lane(String key, ByteRange range) {
    return new Lane(key, range);
  }

  /** One entry for each pair of segments that were found to disagree. */
  synchronized List<Damage> conflicts() {
    return List.copyOf(conflicts);
  }

  private synchronized void add(String key, long start, int crc32c) {
    Seen before = seenByStart.putIfAbsent(start, new Seen(crc32c, key));
    if (before != null && before.crc32c != crc32c && conflicts.size() < MAX_CONFLICTS) {
      Damage conflict =
          Damage.of(
              key,
              "it has other bytes than " + before.key + " from byte " + start + " of the stream");
      boolean known =
          conflicts.stream()
              .anyMatch(one -> one.key().equals(key) && one.why().contains(before.key));
      if (!known) {
        conflicts.add(conflict);
      }
    }
  }

  /** The raw bytes of one segment, from its start to its end. */
  final class Lane extends OutputStream {
    private final String key;
    private final CRC32C crc = new CRC32C();
    private final List<Long> starts = new ArrayList<>();
    private final List<Integer> checksums = new ArrayList<>();
    private long partStartBytes;
    private long positionBytes;
    private int nextCut;

    private Lane(String key, ByteRange range) {
      this.key = key;
      this.positionBytes = range.startBytes();
      this.partStartBytes = range.startBytes();
      this.nextCut = firstCutAfter(range.startBytes());
    }

    private int firstCutAfter(long offset) {
      int found = Arrays.binarySearch(cuts, offset);
      return found >= 0 ? found + 1 : -found - 1;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) {
      int at = 0;
      while (at < lengthBytes && nextCut < cuts.length) {
        int count = (int) Math.min(lengthBytes - at, cuts[nextCut] - positionBytes);
        crc.update(bytes, from + at, count);
        at += count;
        positionBytes += count;
        if (positionBytes == cuts[nextCut]) {
          starts.add(partStartBytes);
          checksums.add((int) crc.getValue());
          crc.reset();
          partStartBytes = positionBytes;
          nextCut++;
        }
      }
    }

    /** The segment turned out to be whole: compares it with the others. */
    void accept() {
      for (int i = 0; i < starts.size(); i++) {
        add(key, starts.get(i), checksums.get(i));
      }
    }
  }
}
