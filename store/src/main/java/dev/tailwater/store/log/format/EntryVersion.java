package dev.tailwater.store.log.format;

/**
 * Versions of entries: the number of the log, and of the operation in it. So they always ascend,
 * and logs need not hold them.
 */
public final class EntryVersion {
  /** Most operations in one log. */
  public static final long MAX_OPERATIONS = 0xFFFF_FFFFL;

  private EntryVersion() {}

  /**
   * Returns the version that an operation makes.
   *
   * @param before number of operations before it in the log
   */
  public static long of(long logSequence, long before) {
    return (logSequence << Integer.SIZE) + before;
  }
}
