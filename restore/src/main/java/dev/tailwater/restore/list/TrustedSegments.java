package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The segments of one stream, divided into those whose bytes may be used and those that are
 * refused, and the bytes that none of them may give. Immutable.
 *
 * @param plainRefused whether segments that are not encrypted are refused
 * @param accepted in the order of {@link StoredSegment#BY_START}
 * @param refused in the same order
 * @param untold the bytes of which nobody can tell what they were at the moment as of which the
 *     archive is read
 */
record TrustedSegments(
    boolean plainRefused,
    List<StoredSegment> accepted,
    List<StoredSegment> refused,
    List<ByteRange> untold) {
  TrustedSegments {
    accepted = List.copyOf(accepted);
    refused = List.copyOf(refused);
    untold = List.copyOf(untold);
  }

  static TrustedSegments of(
      List<StoredSegment> segments, boolean plainRefused, List<ByteRange> untold) {
    if (segments.size() == 1) { // as nearly all streams of an archive of many have
      boolean isRefused = plainRefused && !segments.getFirst().encrypted();
      return new TrustedSegments(
          plainRefused, isRefused ? List.of() : segments, isRefused ? segments : List.of(), untold);
    }
    List<StoredSegment> accepted = new ArrayList<>();
    List<StoredSegment> refused = new ArrayList<>();
    for (StoredSegment segment : segments.stream().sorted(StoredSegment.BY_START).toList()) {
      (plainRefused && !segment.encrypted() ? refused : accepted).add(segment);
    }
    return new TrustedSegments(plainRefused, accepted, refused, untold);
  }

  /** Adds the segments of a newer listing, divided in the same way. */
  TrustedSegments with(List<StoredSegment> newer) {
    Set<StoredSegment> all = new LinkedHashSet<>(accepted);
    all.addAll(refused);
    all.addAll(newer);
    return of(List.copyOf(all), plainRefused, untold);
  }
}
