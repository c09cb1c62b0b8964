package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;
import java.util.Comparator;
import java.util.Optional;

/**
 * One segment as the listing shows it, or one range as the directory of a pack does. Kept this
 * small because an archive may have millions; its object name follows from it and its stream
 * ({@code ArchivedStream.keyOf}).
 *
 * @param range which bytes of the stream it holds, as its name or the directory says
 * @param objectBytes size of the object, compressed and encrypted; its share of a pack
 * @param modifiedMillis when it was delivered, as the destination says; milliseconds since the
 *     epoch
 * @param pack where a pack holds it; empty if it has an object of its own
 */
public record StoredSegment(
    ByteRange range,
    long objectBytes,
    long modifiedMillis,
    boolean gzip,
    boolean encrypted,
    Optional<PackedAt> pack) {
  /** Returns 0 for the first bytes of its range; a higher revision replaces lower ones. */
  public long revision() {
    return pack.isPresent() ? pack.get().range().revision() : 0;
  }

  /**
   * Returns when it was sealed, milliseconds since 1970: as the directory of its pack says, else
   * when it was delivered, which is a little later.
   */
  public long sealedAtMillis() {
    return pack.isPresent() ? pack.get().sealedAtMillis() : modifiedMillis;
  }

  /** By start; of those with the same start the longest first, then what is encrypted. */
  public static final Comparator<StoredSegment> BY_START =
      Comparator.<StoredSegment>comparingLong(segment -> segment.range().startBytes())
          .thenComparing(
              Comparator.<StoredSegment>comparingLong(segment -> segment.range().endBytes())
                  .reversed())
          .thenComparing(segment -> !segment.encrypted())
          .thenComparing(StoredSegment::gzip)
          .thenComparing(segment -> segment.pack().isPresent())
          .thenComparingLong(StoredSegment::revision);
}
