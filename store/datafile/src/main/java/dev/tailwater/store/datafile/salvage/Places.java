package dev.tailwater.store.datafile.salvage;

import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;

/**
 * The last place of each hash, outside the Java heap: number of the file, offset, and whether it
 * was a removal. Places are ordered as the records. Used by one thread.
 */
final class Places implements AutoCloseable {
  /** No place. */
  static final long NONE = Location.NONE;

  private static final int PUT = Location.LENGTH_UNIT_BYTES;
  private static final int REMOVAL = 2 * Location.LENGTH_UNIT_BYTES;

  private final Index index = new Index();

  static long of(int file, long offsetBytes, boolean removes) {
    return Location.of(file, offsetBytes, removes ? REMOVAL : PUT);
  }

  static boolean isRemoval(long place) {
    return Location.maxLengthBytes(place) == REMOVAL;
  }

  /** Whether one place is behind another. */
  static boolean isBehind(long place, long other) {
    return Long.compareUnsigned(place >>> 16, other >>> 16) > 0;
  }

  long find(long hash) {
    return index.find(hash);
  }

  /** Records a place, unless a later one is known. */
  void saw(long hash, long place) {
    long old = index.find(hash);
    if (old == NONE) {
      index.add(hash, place);
    } else if (isBehind(place, old)) {
      index.replace(hash, old, place);
    }
  }

  void forget(long hash) {
    index.remove(hash, index.find(hash));
  }

  interface Visitor<E extends Exception> {
    void place(long hash, long place) throws E;
  }

  <E extends Exception> void forEach(Visitor<E> visitor) throws E {
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      index.forEach(partition, visitor::place);
    }
  }

  @Override
  public void close() {
    index.close();
  }
}
