package dev.tailwater.posix.value;

/** RWF_ flags of pwritev2(2). */
public enum WriteFlag {
  /** This write is durable when it returns, as with {@link OpenFlag#DATA_SYNC}. */
  DATA_SYNC,
  /**
   * Start writing the pages out at once and drop them when that is done (Linux 6.14 and newer;
   * EOPNOTSUPP elsewhere).
   */
  DONT_CACHE
}
