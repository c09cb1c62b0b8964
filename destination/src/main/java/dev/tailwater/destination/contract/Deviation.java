package dev.tailwater.destination.contract;

/**
 * A deviation of a server from the contract which no client can correct and which does not affect
 * an archive. If it is declared, the {@linkplain Contract checks} skip the cases that depend on it,
 * and no others.
 */
public enum Deviation {
  /** Lists are in the order of UTF-16 instead of UTF-8. The two differ above U+FFFF. */
  ORDERS_BY_UTF_16(
      "lists are in the order of UTF-16 instead of UTF-8; harmless, since the names in an archive"
          + " are ASCII"),
  /** Lists include objects that are being written, under names of the server's own. */
  LISTS_UNFINISHED_OBJECTS(
      "lists show objects that are being written, under names of the server's own; harmless, since"
          + " what is listed under a name that is no segment's is passed over");

  private final String meaning;

  Deviation(String meaning) {
    this.meaning = meaning;
  }

  /** Returns a description of the deviation, which says why it is harmless. */
  public String meaning() {
    return meaning;
  }
}
