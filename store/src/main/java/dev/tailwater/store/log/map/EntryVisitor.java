package dev.tailwater.store.log.map;

import dev.tailwater.store.log.format.Operation;

/** Receives the entries of a map, each as the put that made it. */
@FunctionalInterface
public interface EntryVisitor<E extends Exception> {
  void entry(Operation put) throws E;
}
