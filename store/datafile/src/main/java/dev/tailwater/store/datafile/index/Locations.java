package dev.tailwater.store.datafile.index;

/** Finds where the records of a hash lie. Thread-safe; nobody waits for writers. */
public interface Locations {
  /** The location for this hash; {@link Location#NONE}, or {@link Index#SEVERAL}. */
  long find(long hash);

  /** Fills in the locations for this hash, as many as fit, and returns how many there are. */
  int findAll(long hash, long[] locations);
}
