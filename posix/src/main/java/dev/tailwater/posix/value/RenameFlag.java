package dev.tailwater.posix.value;

/** Flags of renameat2(2). At most one may be given. */
public enum RenameFlag {
  /** Fail with EEXIST if the new name exists. */
  NO_REPLACE,
  /** Exchange the two names. */
  EXCHANGE
}
