package dev.tailwater.destination.testkit;

/** A violation of the contract by a {@link MisbehavingDestination}. */
public enum Misbehavior {
  /** A segment replaces an existing object, and the result claims that it was created. */
  REPLACES_SEGMENTS,
  /** A segment does not replace an existing object, but the result claims that it was created. */
  CLAIMS_TO_CREATE,
  /** A new object is missing in the next two lists. */
  LISTS_LATE,
  /** A new object is missing for the next two reads. */
  SHOWS_LATE,
  /** A list always starts at its first key, whatever key it should start after. */
  IGNORES_AFTER,
  /** A list contains every key, whatever prefix was requested. */
  IGNORES_PREFIX,
  /** Lists are in the order of Java's strings, which is that of UTF-16. */
  ORDERS_BY_UTF_16,
  /** A read returns the whole object, whatever range was requested. */
  IGNORES_RANGES,
  /** Objects longer than 4096 bytes lose their last byte. */
  DROPS_A_BYTE,
  /** A read of a missing object fails with a transient failure. */
  HIDES_ABSENCE,
  /** Keys lose their blanks. */
  STRIPS_BLANKS,
  /** Deleted objects can still be read and listed. */
  KEEPS_DELETED,
  /** The pieces of an upload are visible before a commit, and stay without one. */
  SHOWS_UNCOMMITTED,
  /** A small object is written in two halves. */
  TEARS_REPLACEMENTS,
  /** Creating is not permitted. */
  DENIES_CREATE,
  /** Reading is not permitted. */
  DENIES_READ,
  /** Listing is not permitted. */
  DENIES_LIST,
  /** Small objects may be created and not replaced. */
  DENIES_REPLACE,
  /** Deleting is not permitted. */
  DENIES_DELETE
}
