package dev.tailwater.posix.value;

/** Flags of renameat2(2), of which at most one is given. */
public enum RenameFlag {
  /** Fail with EEXIST when the new name is taken. */
  NO_REPLACE,
  /** The two names change places. */
  EXCHANGE
}
