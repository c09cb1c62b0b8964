package dev.tailwater.posix.value;

/** Flags of statx(2). */
public enum StatFlag {
  /** Return the status of a symbolic link itself. */
  NO_FOLLOW,
  /** Take an empty path for the descriptor itself. */
  EMPTY_PATH
}
