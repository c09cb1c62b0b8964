package dev.tailwater.posix;

/** Mode flags of fallocate(2). */
public enum AllocateFlag {
  KEEP_SIZE,
  PUNCH_HOLE,
  ZERO_RANGE
}
