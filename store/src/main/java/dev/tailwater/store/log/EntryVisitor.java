package dev.tailwater.store.log;

/** Takes the entries of a map, each as the put that made it. */
@FunctionalInterface
interface EntryVisitor<E extends Exception> {
  void entry(Operation put) throws E;
}
