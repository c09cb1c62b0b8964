package dev.tailwater.destination.contract;

/** An action that a destination must permit. */
public enum Permission {
  /** Put an object under a key that has none. */
  CREATE,
  /** Open an object, or a range of one. */
  READ,
  /** List the objects. */
  LIST,
  /** Put an object under a key that has one. */
  REPLACE,
  /** Remove an object. */
  DELETE
}
