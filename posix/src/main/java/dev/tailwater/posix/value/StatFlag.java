package dev.tailwater.posix.value;

/** Flags of statx(2). */
public enum StatFlag {
  /** The status of a symbolic link itself. */
  NO_FOLLOW,
  /** An empty path stands for the descriptor. */
  EMPTY_PATH
}
