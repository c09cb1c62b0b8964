package dev.tailwater.posix;

/** Flags of statx(2). */
public enum StatFlag {
  NO_FOLLOW,
  EMPTY_PATH
}
