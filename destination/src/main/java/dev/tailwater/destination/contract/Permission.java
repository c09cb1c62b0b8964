package dev.tailwater.destination.contract;

/** An action that a destination must permit. */
public enum Permission {
  /** Put an object where there is none. */
  CREATE,
  /** Open an object, or a range of one. */
  READ,
  /** See which objects there are. */
  LIST,
  /** Put an object where there is one. */
  REPLACE,
  /** Remove an object. */
  DELETE
}
