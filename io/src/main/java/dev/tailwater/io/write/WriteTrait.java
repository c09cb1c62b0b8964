package dev.tailwater.io.write;

/** Optional features of a {@link BlockWriter}. */
public enum WriteTrait {
  /**
   * The mount makes each write durable before it returns (mount option sync; NFS with sync or
   * noac). Affects only {@link BlockWriter#durableOffsetBytes} and saves {@link BlockWriter#sync}
   * its fdatasync.
   */
  SYNCHRONOUS_MOUNT,
  /**
   * Each kernel write is durable when it returns: with RWF_DSYNC or, if the kernel does not support
   * it, an fdatasync after each write.
   */
  DURABLE_WRITES,
  /**
   * Whole blocks bypass the page cache (O_DIRECT), through a second descriptor of the same file; a
   * partial first or last block does not.
   */
  DIRECT,
  /** Written bytes do not stay in the page cache: for data that nobody reads soon. */
  DROP_BEHIND,
  /** {@link BlockWriter#close} makes everything durable. */
  SYNC_ON_CLOSE,
  /**
   * Whole blocks of zeros are not written and stay holes. Wherever this writer writes, the file
   * must have had a hole or ended before; zeros over bytes that this writer itself wrote are
   * written. The caller sets the size of the file: blocks of zeros at its end exist only after an
   * ftruncate(2) to that size, preferably before {@link BlockWriter#sync}.
   */
  SPARSE,
  /**
   * The caller guarantees that the descriptor is a regular file, open for writing without APPEND
   * and DIRECT, so the writer does not check. If the {@linkplain BlockWriterOptions#blockBytes
   * block size} is given too, a writer that begins at a multiple of it makes no system call of its
   * own. O_SYNC and O_DSYNC of the descriptor are not noticed then.
   */
  KNOWN_FILE
}
