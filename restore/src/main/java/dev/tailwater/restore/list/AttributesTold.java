package dev.tailwater.restore.list;

/**
 * How it is known which attributes a record states.
 *
 * @param atMillis when the file had them, by the agent's clock
 * @param encrypted whether an encrypted object tells its mode
 */
record AttributesTold(long atMillis, boolean encrypted) {
  /** Nothing is told. */
  static final AttributesTold NONE = new AttributesTold(Long.MIN_VALUE, false);
}
