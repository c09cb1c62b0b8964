package dev.tailwater.restore.list;

import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The segments of one stream, divided into those whose bytes may be used and those that are
 * refused. Immutable.
 *
 * @param plainRefused whether segments that are not encrypted are refused
 * @param accepted in the order of {@link StoredSegment#BY_START}
 * @param refused in the same order
 */
record TrustedSegments(
    boolean plainRefused, List<StoredSegment> accepted, List<StoredSegment> refused) {
  TrustedSegments {
    accepted = List.copyOf(accepted);
    refused = List.copyOf(refused);
  }

  static TrustedSegments of(List<StoredSegment> segments, boolean plainRefused) {
    List<StoredSegment> accepted = new ArrayList<>();
    List<StoredSegment> refused = new ArrayList<>();
    for (StoredSegment segment : segments.stream().sorted(StoredSegment.BY_START).toList()) {
      (plainRefused && !segment.encrypted() ? refused : accepted).add(segment);
    }
    return new TrustedSegments(plainRefused, accepted, refused);
  }

  /** Adds the segments of a newer listing, divided in the same way. */
  TrustedSegments with(List<StoredSegment> newer) {
    Set<StoredSegment> all = new LinkedHashSet<>(accepted);
    all.addAll(refused);
    all.addAll(newer);
    return of(List.copyOf(all), plainRefused);
  }
}
