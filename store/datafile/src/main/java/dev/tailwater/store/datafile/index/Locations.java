package dev.tailwater.store.datafile.index;

/** A lookup of the locations of a hash. Thread-safe; nobody waits for writers. */
public interface Locations {
  /** Returns the location for this hash, {@link Location#NONE}, or {@link Location#SEVERAL}. */
  long find(long hash);

  /** Fills in the locations for this hash, as many as fit, and returns how many there are. */
  int findAll(long hash, long[] locations);
}
