package dev.tailwater.destination.testkit;

/**
 * What a server behind a destination does against the contract, and no client can mend. Naming one
 * leaves out of {@link DestinationConformance} the cases that rest on it, and no others.
 */
public enum Deviation {
  /**
   * Lists are in the order of UTF-16 instead of UTF-8, which differs above U+FFFF. Harmless to an
   * archive: its names are ASCII.
   */
  ORDERS_BY_UTF_16,
  /** Lists show objects that are being written, under names of the server's own. */
  LISTS_UNFINISHED_OBJECTS
}
