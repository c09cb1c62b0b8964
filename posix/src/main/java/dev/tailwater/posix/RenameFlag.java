package dev.tailwater.posix;

/** Flags of renameat2(2). */
public enum RenameFlag {
  NO_REPLACE,
  EXCHANGE
}
