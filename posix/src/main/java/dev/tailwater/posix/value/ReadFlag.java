package dev.tailwater.posix.value;

/** RWF_ flags of preadv2(2). */
public enum ReadFlag {
  /** Fail with EAGAIN instead of waiting for the disk. */
  NO_WAIT,
  /** Drop the pages from the cache after the read (Linux 6.14 and newer; EOPNOTSUPP elsewhere). */
  DONT_CACHE
}
