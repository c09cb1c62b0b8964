package dev.tailwater.destination.testkit;

/** What a {@link MisbehavingDestination} does against the contract. */
public enum Misbehavior {
  /** A segment replaces what is there, and says that it was created. */
  REPLACES_SEGMENTS,
  /** A segment replaces nothing, and says that it was created all the same. */
  CLAIMS_TO_CREATE,
  /** What was put is not in the next two lists. */
  LISTS_LATE,
  /** What was put is not there for the next two reads. */
  SHOWS_LATE,
  /** A list goes on as if it had begun at its first key, whatever it was asked for. */
  IGNORES_AFTER,
  /** A list shows every key, whatever prefix it was asked for. */
  IGNORES_PREFIX,
  /** Lists are in the order of Java's strings, which is that of UTF-16. */
  ORDERS_BY_UTF_16,
  /** A read gives the whole object, whatever range was asked for. */
  IGNORES_RANGES,
  /** The last byte of what is longer than 4096 bytes gets lost. */
  DROPS_A_BYTE,
  /** What does not exist fails as if it would pass. */
  HIDES_ABSENCE,
  /** Keys lose the blanks in them. */
  STRIPS_BLANKS,
  /** What was deleted can still be read and listed. */
  KEEPS_DELETED,
  /** What is written piece by piece is seen before it is committed, and when it never is. */
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
