package dev.tailwater.store.index;

/** Finds where the records of a hash lie. Thread-safe; nobody waits for writers. */
public interface Locations {
  /** The location for this hash; {@link Location#NONE}, or {@link Index#SEVERAL}. */
  long find(long hash);

  /**
   * Reads what a search for this hash would read first. Several such reads wait for memory at the
   * same time, where searches would wait one after the other.
   *
   * @return something to be kept, or the compiler would leave the reading out
   */
  long bringNear(long hash);

  /** Fills in the locations for this hash, as many as fit, and returns how many there are. */
  int findAll(long hash, long[] locations);
}
