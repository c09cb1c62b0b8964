package dev.tailwater.posix.value;

/** Mode flags of fallocate(2). */
public enum AllocateFlag {
  /** The size stays, though blocks behind the end are reserved. */
  KEEP_SIZE,
  /** Give the blocks back; the range reads as zeros. Only with {@link #KEEP_SIZE}. */
  PUNCH_HOLE,
  /** The range reads as zeros and has its blocks reserved. */
  ZERO_RANGE
}
