package dev.tailwater.posix.value;

/**
 * Flags of open(2). Close-on-exec is always set. Without {@link #WRITE_ONLY} or {@link
 * #READ_WRITE}, of which at most one is given: read only.
 */
public enum OpenFlag {
  WRITE_ONLY,
  READ_WRITE,
  /** Make the file when it is not there. */
  CREATE,
  /** With {@link #CREATE}: fail with EEXIST when it is there. */
  EXCLUSIVE,
  /** Cut it to 0 bytes. */
  TRUNCATE,
  /** Every write goes to the end. */
  APPEND,
  /** Fail with ENOTDIR when it is not a directory. */
  DIRECTORY,
  /** Fail with ELOOP when the last component is a symbolic link. */
  NO_FOLLOW,
  /** Reading does not change the time of last access; for the owner of the file only. */
  NO_ACCESS_TIME,
  /** Do not wait for the other end of a FIFO. */
  NON_BLOCK,
  /** A descriptor that only stands for the place: no reading, no writing, no permissions needed. */
  PATH,
  /** Past the page cache; memory, offset and length must be aligned. */
  DIRECT,
  /** Every write is durable when it returns. */
  DATA_SYNC
}
