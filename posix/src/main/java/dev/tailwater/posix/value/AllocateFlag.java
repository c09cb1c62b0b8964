package dev.tailwater.posix.value;

/** Mode flags of fallocate(2). */
public enum AllocateFlag {
  /** Keep the size of the file, although blocks beyond its end are reserved. */
  KEEP_SIZE,
  /** Deallocate the blocks; the range reads as zeros. Requires {@link #KEEP_SIZE}. */
  PUNCH_HOLE,
  /** Make the range read as zeros, with its blocks reserved. */
  ZERO_RANGE
}
