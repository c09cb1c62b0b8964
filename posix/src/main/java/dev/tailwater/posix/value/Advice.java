package dev.tailwater.posix.value;

/** Advice of posix_fadvise(2). */
public enum Advice {
  /** No advice: the usual read-ahead. */
  NORMAL,
  /** No read-ahead. */
  RANDOM,
  /** Twice the usual read-ahead. */
  SEQUENTIAL,
  /** Start reading the range now. */
  WILL_NEED,
  /** Drop the clean pages that lie entirely in the range. */
  DONT_NEED,
  /** Do not keep pages cached because of this read (Linux 6.3 and newer; ignored before). */
  NO_REUSE
}
