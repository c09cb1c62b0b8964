package dev.tailwater.destination.contract;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.ObjectKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The place in which a check works, and its known properties. Closing it closes everything that was
 * opened through it. For one check and one thread.
 */
public final class CheckPlace implements AutoCloseable {
  /**
   * The length of the longest keys in the checks; the names in an archive are shorter, apart from
   * the agent's name.
   */
  public static final int LONG_KEY_BYTES = 650;

  private final PlaceOpener opener;
  private final Set<Deviation> deviations;
  private final int longestKeyBytes;
  private final List<Destination> opened = new ArrayList<>();

  private CheckPlace(PlaceOpener opener, Set<Deviation> deviations, int longestKeyBytes) {
    this.opener = opener;
    this.deviations = Set.copyOf(deviations);
    this.longestKeyBytes = longestKeyBytes;
  }

  /** Creates a place that accepts every legal key. */
  public static CheckPlace of(PlaceOpener opener, Set<Deviation> deviations) {
    return new CheckPlace(opener, deviations, ObjectKeys.MAX_KEY_BYTES);
  }

  /**
   * Returns a copy of this place with a limit for keys, since a prefix can be a part of the key.
   *
   * @param longestKeyBytes how long a key may be here, at least {@link #LONG_KEY_BYTES}
   */
  public CheckPlace withLongestKeyBytes(int longestKeyBytes) {
    if (longestKeyBytes < LONG_KEY_BYTES || longestKeyBytes > ObjectKeys.MAX_KEY_BYTES) {
      throw new IllegalArgumentException("longestKeyBytes " + longestKeyBytes);
    }
    return new CheckPlace(opener, deviations, longestKeyBytes);
  }

  Destination open() throws IOException {
    Destination place = opener.open();
    opened.add(place);
    return place;
  }

  /** Closes a destination and opens the place again. */
  Destination reopen(Destination place) throws IOException {
    opened.remove(place);
    place.close();
    return open();
  }

  boolean has(Deviation deviation) {
    return deviations.contains(deviation);
  }

  int longestKeyBytes() {
    return longestKeyBytes;
  }

  @Override
  public void close() throws IOException {
    IOException failed = null;
    for (Destination place : opened) {
      try {
        place.close();
      } catch (IOException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    opened.clear();
    if (failed != null) {
      throw failed;
    }
  }
}
