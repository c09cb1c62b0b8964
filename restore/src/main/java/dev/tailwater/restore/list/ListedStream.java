package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One stream during a listing: what the object names say, before anything is opened. Kept small,
 * since there may be a million: nearly all have one segment and nothing else.
 */
final class ListedStream {
  final StreamName name;
  private List<StoredSegment> segments = List.of();
  private List<ByteRange> gaps = List.of();
  private List<StoredGap> explained = List.of();
  private List<Dropped> dropped = List.of();
  private List<Damage> untold = List.of();

  /** Whether a pack of that moment mentions it. */
  boolean mentioned;

  private @Nullable PackedRecord packed;

  /** The group of packs that has described it last. */
  private @Nullable PackedStreams describedIn;

  /** Where the bytes end of which packs tell a later moment only. */
  private long untoldEndBytes;

  /** Says which pack says of bytes that they are not kept. */
  record Dropped(ByteRange range, String key, boolean encrypted) {}

  boolean hasRecord;

  /** When the record was signed, if that was checked. */
  OptionalLong recordSignedAtMillis = OptionalLong.empty();

  long recordModifiedMillis;

  ListedStream(StreamName name) {
    this.name = name;
  }

  /** Returns its segments, in the order in which they were found. */
  List<StoredSegment> segments() {
    return segments;
  }

  /**
   * Adds a segment. The list of the only one, as of nearly all streams, is the one that is kept.
   */
  void addSegment(StoredSegment segment) {
    segments = segments.isEmpty() ? List.of(segment) : longer(segments, segment);
  }

  private static List<StoredSegment> longer(List<StoredSegment> known, StoredSegment segment) {
    List<StoredSegment> longer = known.size() == 1 ? new ArrayList<>(known) : known;
    longer.add(segment);
    return longer;
  }

  void removeSegment(StoredSegment segment) {
    List<StoredSegment> left = new ArrayList<>(segments);
    left.remove(segment);
    segments = left;
  }

  /** Ranges of which an object says why they are missing. */
  List<ByteRange> gaps() {
    return gaps;
  }

  void addGap(ByteRange range) {
    gaps = with(gaps, range);
  }

  /** Ranges of which a pack says why they are missing. */
  List<StoredGap> explained() {
    return explained;
  }

  void addExplained(StoredGap gap) {
    explained = with(explained, gap);
  }

  /** Replaced bytes that are not kept, of those that were there at the moment. */
  List<Dropped> dropped() {
    return dropped;
  }

  void addDropped(Dropped bytes) {
    dropped = with(dropped, bytes);
  }

  /** What packs do not tell of the moment as of which the archive is read. */
  List<Damage> untold() {
    return untold;
  }

  void addUntold(Damage damage) {
    untold = with(untold, damage);
  }

  /** Adds bytes of which a pack tells a later moment only. */
  void addUntoldBytes(ByteRange range, String key) {
    addUntold(Damage.untold(key, Moments.untoldBytes(range)));
    untoldEndBytes = Math.max(untoldEndBytes, range.endBytes());
  }

  /** Returns where its bytes end, whether or not they were there at the moment. */
  long endBytes() {
    long endBytes = untoldEndBytes;
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i).revision() == 0) {
        endBytes = Math.max(endBytes, segments.get(i).range().endBytes());
      }
    }
    return endBytes;
  }

  private static <T> List<T> with(List<T> list, T more) {
    List<T> longer = list.isEmpty() ? new ArrayList<>(1) : list;
    longer.add(more);
    return longer;
  }

  /** Notes that a group of packs describes it; returns whether that has not done so before. */
  boolean describedBy(PackedStreams group) {
    boolean isNew = describedIn != group;
    describedIn = group;
    return isNew;
  }

  /** Returns whether packs say all that there is to say, so that no object of its own is read. */
  boolean isAllInPacks() {
    if (packed == null || hasRecord || !gaps.isEmpty()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i).pack().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Returns what packs say of it, which is nothing at first. */
  PackedRecord packed() {
    if (packed == null) {
      packed = new PackedRecord(name.stream(), name.birthPath());
    }
    return packed;
  }

  /** Returns what packs say of it; empty when no pack mentions it. */
  Optional<PackedRecord> packedRecord() {
    return Optional.ofNullable(packed);
  }
}
