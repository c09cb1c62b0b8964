package dev.tailwater.delivery.stream;

import dev.tailwater.io.Marker;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The markers before some offsets of a stream. Nearly always there is one, which takes no map. Not
 * thread-safe.
 */
final class Markers {
  /** The marker with the lowest offset; null if there is none. */
  private @Nullable Marker lowest;

  private long lowestAtBytes;

  /** The others. */
  private NavigableMap<Long, Marker> later = Collections.emptyNavigableMap();

  Optional<Marker> find(long offsetBytes) {
    return Optional.ofNullable(
        lowest != null && offsetBytes == lowestAtBytes ? lowest : later.get(offsetBytes));
  }

  /** Adds a marker, or replaces the one of the same offset. */
  void put(long offsetBytes, Marker marker) {
    if (lowest != null && offsetBytes > lowestAtBytes) {
      addLater(offsetBytes, marker);
      return;
    }
    if (lowest != null && offsetBytes < lowestAtBytes) {
      addLater(lowestAtBytes, lowest);
    }
    lowest = marker;
    lowestAtBytes = offsetBytes;
  }

  private void addLater(long offsetBytes, Marker marker) {
    if (later.isEmpty()) {
      later = new TreeMap<>();
    }
    later.put(offsetBytes, marker);
  }

  /** Removes the markers of lower offsets. */
  void removeBelow(long offsetBytes) {
    while (lowest != null && lowestAtBytes < offsetBytes) {
      if (later.isEmpty()) {
        lowest = null;
      } else {
        Map.Entry<Long, Marker> next = later.pollFirstEntry();
        lowest = next.getValue();
        lowestAtBytes = next.getKey();
      }
    }
    if (later.isEmpty()) {
      later = Collections.emptyNavigableMap();
    }
  }
}
