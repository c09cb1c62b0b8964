package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.Marker;

/**
 * How far a tail is read at a moment.
 *
 * @param marker checksum of the bytes before the position
 */
public record Position(StreamProgress stream, long bytes, Marker marker) {

  /** The part of a position that is the same for tails in step. */
  record Place(String streamPrefix, long bytes, Marker marker) {}

  Place place() {
    return new Place(stream.streamPrefix(), bytes, marker);
  }
}
