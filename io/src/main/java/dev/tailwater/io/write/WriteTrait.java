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
  SYNC_ON_CLOSE
}
