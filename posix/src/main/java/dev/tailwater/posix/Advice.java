package dev.tailwater.posix;

/** Advice of posix_fadvise(2). */
public enum Advice {
  NORMAL,
  RANDOM,
  SEQUENTIAL,
  WILL_NEED,
  DONT_NEED,
  NO_REUSE
}
