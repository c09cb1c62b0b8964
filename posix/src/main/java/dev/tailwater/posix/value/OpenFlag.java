package dev.tailwater.posix.value;

/**
 * Flags of open(2). Close-on-exec is always set. At most one of {@link #WRITE_ONLY} and {@link
 * #READ_WRITE} may be given; without them, the file is opened read-only.
 */
public enum OpenFlag {
  WRITE_ONLY,
  READ_WRITE,
  /** Create the file if it does not exist. */
  CREATE,
  /** With {@link #CREATE}: fail with EEXIST if the file exists. */
  EXCLUSIVE,
  /** Truncate the file to 0 bytes. */
  TRUNCATE,
  /**
   * Create a regular file without a name in the directory that is opened (O_TMPFILE); it goes away
   * with its last descriptor unless it gets a name. With {@link #READ_WRITE} or {@link
   * #WRITE_ONLY}; fails with EOPNOTSUPP where the file system has no such files.
   */
  UNNAMED,
  /** Append: every write goes to the end of the file. */
  APPEND,
  /** Fail with ENOTDIR if the path is not a directory. */
  DIRECTORY,
  /** Fail with ELOOP if the last component is a symbolic link. */
  NO_FOLLOW,
  /** Do not update the access time on reads; only the owner of the file may use this. */
  NO_ACCESS_TIME,
  /** Do not wait for the other end of a FIFO. */
  NON_BLOCK,
  /**
   * Open only a reference to the path: no reading or writing, and no permission for the file
   * needed.
   */
  PATH,
  /** Bypass the page cache (direct I/O); memory, offset and length must be aligned. */
  DIRECT,
  /** Make every write durable before it returns. */
  DATA_SYNC
}
