package dev.tailwater.io.write;

/** What a {@link BlockWriter} does besides writing whole blocks. */
public enum WriteTrait {
  /**
   * Says that the mount makes each write durable before it returns (mount option sync; NFS with
   * sync or noac). Changes no call: only what {@link BlockWriter#durableOffsetBytes} answers, and
   * spares {@link BlockWriter#sync} its fdatasync.
   */
  SYNCHRONOUS_MOUNT,
  /**
   * Each kernel write is durable when it returns (RWF_DSYNC; where the kernel does not know it, an
   * fdatasync after each).
   */
  DURABLE_WRITES,
  /**
   * Whole blocks go past the page cache (O_DIRECT), by a second descriptor of the same file; a
   * partial first or last block goes through it.
   */
  DIRECT,
  /** Written bytes do not stay in the page cache: for data that nobody reads soon. */
  DROP_BEHIND,
  /** {@link BlockWriter#close} makes everything durable. */
  SYNC_ON_CLOSE,
  /**
   * Whole blocks of zeros are left out, so that they stay holes. Wherever this writer writes, the
   * file must have been a hole before, or end before; what this writer itself wrote it overwrites
   * with zeros too. How long the file is, is the caller's part: blocks of zeros at its end are
   * there only after an ftruncate(2) to that size, best before {@link BlockWriter#sync}.
   */
  SPARSE,
  /**
   * The caller knows that the descriptor is of a regular file, and open for writing without APPEND
   * and DIRECT; so nobody asks. With a {@linkplain BlockWriterOptions#blockBytes block size} too, a
   * writer that begins at a multiple of it costs no system call of its own. That the descriptor has
   * O_SYNC or O_DSYNC is not noticed then.
   */
  KNOWN_FILE
}
