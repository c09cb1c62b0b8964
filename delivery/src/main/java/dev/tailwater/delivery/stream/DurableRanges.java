package dev.tailwater.delivery.stream;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.io.Marker;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of a stream that are durable at one destination, with the markers at their ends that
 * may still be needed. Not thread-safe: its stream guards it.
 */
final class DurableRanges {
  private final RangeSet ranges = new RangeSet();
  private final Markers markers = new Markers();

  /** Creates a set that is empty. */
  DurableRanges() {
    markers.put(0, Marker.NONE);
  }

  /** Creates the set of all bytes below an offset. */
  static DurableRanges upTo(long offsetBytes, Marker marker) {
    DurableRanges durable = new DurableRanges();
    if (offsetBytes > 0) {
      durable.ranges.add(new ByteRange(0, offsetBytes));
      durable.markers.put(offsetBytes, marker);
      durable.markers.removeBelow(offsetBytes);
    }
    return durable;
  }

  /** Returns the offset below which every byte is durable. */
  long contiguousBytes() {
    return ranges.contiguousEnd(0);
  }

  List<ByteRange> ranges() {
    return ranges.ranges();
  }

  /** Returns whether nothing is durable behind bytes that are not. */
  boolean isContiguous() {
    return endBytes() <= contiguousBytes();
  }

  /** Returns where the last durable byte ends. */
  long endBytes() {
    return ranges.isEmpty() ? 0 : ranges.ranges().getLast().endBytes();
  }

  /** Returns the checksum before {@link #contiguousBytes}, if it is known. */
  Optional<Marker> marker() {
    return markers.find(contiguousBytes());
  }

  /** Adds a range of which the marker at its end is not known. */
  void add(ByteRange range) {
    ranges.add(range);
  }

  void add(ByteRange range, Marker markerAtEnd) {
    ranges.add(range);
    long contiguousBytes = contiguousBytes();
    // In this order, so that the next marker takes no map.
    markers.removeBelow(contiguousBytes);
    if (range.endBytes() >= contiguousBytes) {
      markers.put(range.endBytes(), markerAtEnd);
    }
  }

  /** Adds a marker, unless one is known for this offset. */
  void confirm(long offsetBytes, Marker markerThere) {
    if (markers.find(offsetBytes).isEmpty()) {
      markers.put(offsetBytes, markerThere);
    }
  }

  /** Returns the next range at or after the position that is not durable; it may be empty. */
  ByteRange nextMissing(long positionBytes) {
    return ranges.nextMissing(positionBytes);
  }

  /** Returns the parts of a range that are not durable. */
  List<ByteRange> missing(ByteRange range) {
    return ranges.missing(range);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }
}
