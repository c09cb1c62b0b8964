package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.index.Location;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Locations of records in the order in which they lie on disk, in runs that are read by one call: a
 * call takes as long as copying some kilobytes does. Used by one thread at a time.
 */
final class LocationRuns {
  /** So many locations, of 8 bytes each, are sorted at once. */
  static final int MOST_LOCATIONS = 64 * 1024;

  private static final int FIRST_LOCATIONS = 1024;

  /** How many bytes between two records are read for nothing at most. */
  static final int MOST_GAP_BYTES = 4096;

  private long[] locations = new long[FIRST_LOCATIONS];
  private int count;
  private int from;
  private int to;

  /** Adds so many locations. */
  void add(int added, IntToLongFunction location) {
    if (count + added > locations.length) {
      locations = Arrays.copyOf(locations, Math.max(2 * locations.length, count + added));
    }
    for (int i = 0; i < added; i++) {
      locations[count++] = location.applyAsLong(i);
    }
  }

  /** Returns whether the runs are to be read before more is added. */
  boolean isFull() {
    return count >= MOST_LOCATIONS;
  }

  /** Sorts what was added. The next run is the first one. */
  void sort() {
    Arrays.sort(locations, 0, count);
    from = 0;
    to = 0;
  }

  /** Forgets all locations. */
  void clear() {
    count = 0;
  }

  /** Goes on to the next run; false when there is none. */
  boolean next() {
    from = to;
    if (from == count) {
      return false;
    }
    to = from + 1;
    if (!hasUnknownLength(from)) {
      while (to < count && isNear(to)) {
        to++;
      }
    }
    return true;
  }

  private boolean hasUnknownLength(int index) {
    return Location.maxLengthBytes(locations[index]) == 0;
  }

  /** Returns whether the run can go on with a record. */
  private boolean isNear(int index) {
    long location = locations[index];
    return Location.file(location) == Location.file(locations[from])
        && !hasUnknownLength(index)
        && Location.offsetBytes(location) - endBytes(index - 1) <= MOST_GAP_BYTES
        && endBytes(index) - Location.offsetBytes(locations[from]) <= ReadBuffer.KEPT_BYTES;
  }

  private long endBytes(int index) {
    return Location.offsetBytes(locations[index]) + Location.maxLengthBytes(locations[index]);
  }

  /** Returns how many records are in the run. */
  int records() {
    return to - from;
  }

  /**
   * Returns the location of a record.
   *
   * @param number of the record in the run, from 0
   */
  long location(int number) {
    return locations[from + number];
  }

  /** Returns where a record begins in the bytes of the run. */
  int inRunBytes(int number) {
    return (int) (Location.offsetBytes(location(number)) - Location.offsetBytes(location(0)));
  }

  /** Returns the length of a run of more than one record. */
  int lengthBytes() {
    return (int) (endBytes(to - 1) - Location.offsetBytes(location(0)));
  }
}
