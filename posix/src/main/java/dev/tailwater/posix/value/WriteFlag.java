package dev.tailwater.posix.value;

/** RWF_ flags of pwritev2(2). */
public enum WriteFlag {
  /** Make this write durable before it returns, as with {@link OpenFlag#DATA_SYNC}. */
  DATA_SYNC,
  /**
   * Start writing the pages to the disk at once, and drop them from the cache afterwards (Linux
   * 6.14 and newer; EOPNOTSUPP elsewhere).
   */
  DONT_CACHE
}
