package dev.tailwater.store.datafile.index;

/** Receives entries. */
@FunctionalInterface
public interface EntryVisitor<E extends Exception> {
  /** One entry. */
  void entry(long hash, long location) throws E;
}
