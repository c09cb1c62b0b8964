package dev.tailwater.restore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredSegment;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds segments of one stream that have different bytes for the same offsets although all of them
 * should agree, since they have the same revision. The stream is cut at every start and end of a
 * segment; between two cuts, all segments that have the bytes must have the same SHA-256, because a
 * checksum could be forged. Memory: one hash for each part that several segments have; nothing
 * where segments do not overlap. Thread-safe; each {@link Hasher} is for one thread.
 */
final class EqualRanges {
  private record Seen(String hash, String key) {}

  /** Enough to know; a hostile archive may have any number. */
  private static final int MAX_CONFLICTS = 100;

  private final long[] cuts;

  /** Whether several segments have the bytes from the cut of the same number to the next one. */
  private final boolean[] shared;

  @GuardedBy("this")
  private final Map<Long, Seen> seenByStart = new HashMap<>();

  @GuardedBy("this")
  private final Set<Part> compared = new HashSet<>();

  @GuardedBy("this")
  private final Map<Pair, Damage> conflicts = new LinkedHashMap<>();

  private record Pair(String key, String other) {}

  /** A pack may hold several ranges of a stream under one key. */
  private record Part(String key, ByteRange range) {}

  private EqualRanges(long[] cuts, boolean[] shared) {
    this.cuts = cuts;
    this.shared = shared;
  }

  /** Prepares the check of segments with the same revision, in the order of their starts. */
  static EqualRanges of(List<StoredSegment> segments) {
    return overlap(segments)
        ? ofOverlapping(segments)
        : new EqualRanges(new long[0], new boolean[0]);
  }

  /** Most streams have no overlap, and some have millions of segments. */
  private static boolean overlap(List<StoredSegment> byStart) {
    long end = 0;
    for (StoredSegment segment : byStart) {
      if (segment.range().startBytes() < end) {
        return true;
      }
      end = segment.range().endBytes();
    }
    return false;
  }

  private static EqualRanges ofOverlapping(List<StoredSegment> segments) {
    // How many segments begin at an offset, less those that end there.
    TreeMap<Long, Integer> balances = new TreeMap<>();
    for (StoredSegment segment : segments) {
      balances.merge(segment.range().startBytes(), 1, Integer::sum);
      balances.merge(segment.range().endBytes(), -1, Integer::sum);
    }
    long[] cuts = balances.keySet().stream().mapToLong(Long::longValue).toArray();
    boolean[] shared = new boolean[cuts.length];
    int open = 0;
    for (int i = 0; i < cuts.length; i++) {
      open += balances.getOrDefault(cuts[i], 0);
      shared[i] = open > 1;
    }
    return new EqualRanges(cuts, shared);
  }

  /** Takes the raw bytes of one segment; they count only after {@link Hasher#accept}. */
  Hasher hasher(String key, ByteRange range) {
    return new Hasher(key, range);
  }

  /** Whether no segments overlap: then there is nothing to compare. */
  boolean isEmpty() {
    return cuts.length == 0;
  }

  /** Whether a segment has bytes that another one has too, and was not compared yet. */
  synchronized boolean wants(String key, ByteRange range) {
    return !compared.contains(new Part(key, range)) && isShared(range);
  }

  private boolean isShared(ByteRange range) {
    for (int i = firstCutFrom(range.startBytes());
        i < cuts.length && cuts[i] < range.endBytes();
        i++) {
      if (shared[i]) {
        return true;
      }
    }
    return false;
  }

  private int firstCutFrom(long offset) {
    int found = Arrays.binarySearch(cuts, offset);
    return found >= 0 ? found : -found - 1;
  }

  /** One entry for each pair of segments that were found to disagree. */
  synchronized List<Damage> conflicts() {
    return List.copyOf(conflicts.values());
  }

  private synchronized void accept(Part part, Map<Long, String> hashes) {
    if (cuts.length > 0) {
      compared.add(part);
    }
    for (Map.Entry<Long, String> hash : hashes.entrySet()) {
      add(part.key(), hash.getKey(), hash.getValue());
    }
  }

  @GuardedBy("this")
  private void add(String key, long start, String hash) {
    Seen before = seenByStart.putIfAbsent(start, new Seen(hash, key));
    if (before != null && !before.hash.equals(hash) && conflicts.size() < MAX_CONFLICTS) {
      String why =
          "it has other bytes than " + before.key + " from byte " + start + " of the stream";
      conflicts.putIfAbsent(new Pair(key, before.key), Damage.contradiction(key, why));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** The raw bytes of one segment, from its start to its end. */
  final class Hasher extends OutputStream {
    private final Part part;
    private final Map<Long, String> hashes = new LinkedHashMap<>();

    /** Made when something is to be compared. */
    private @Nullable MessageDigest digest;

    private long positionBytes;
    private int nextCut;

    /**
     * Where the part begins that is hashed now; a segment that was not listed begins between cuts.
     */
    private long partStartBytes;

    private Hasher(String key, ByteRange range) {
      this.part = new Part(key, range);
      this.positionBytes = range.startBytes();
      this.partStartBytes = range.startBytes();
      this.nextCut = firstCutFrom(range.startBytes() + 1);
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
        boolean wanted = nextCut > 0 && shared[nextCut - 1] && partStartBytes == cuts[nextCut - 1];
        if (wanted) {
          digest().update(bytes, from + at, count);
        }
        at += count;
        positionBytes += count;
        if (positionBytes == cuts[nextCut]) {
          if (wanted) {
            hashes.put(partStartBytes, HexFormat.of().formatHex(digest().digest()));
          }
          partStartBytes = positionBytes;
          nextCut++;
        }
      }
    }

    private MessageDigest digest() {
      if (digest == null) {
        digest = sha256();
      }
      return digest;
    }

    /** The segment turned out to be whole: compares it with the others. */
    void accept() {
      EqualRanges.this.accept(part, hashes);
    }
  }
}
