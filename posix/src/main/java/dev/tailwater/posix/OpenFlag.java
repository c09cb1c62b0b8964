package dev.tailwater.posix;

/** Flags of open(2). Close-on-exec is always set. Without WRITE or READ_WRITE: read only. */
public enum OpenFlag {
  WRITE_ONLY,
  READ_WRITE,
  CREATE,
  EXCLUSIVE,
  TRUNCATE,
  APPEND,
  DIRECTORY,
  NO_FOLLOW,
  NO_ACCESS_TIME,
  NON_BLOCK,
  PATH,
  DIRECT,
  DATA_SYNC
}
