package dev.tailwater.io.write;

/** How a {@link FileCopy} moves its bytes. */
public enum CopyMethod {
  /**
   * copy_file_range(2): the bytes never enter this process, and some file systems share the blocks
   * instead. The kernel chooses the size of its writes, which is small on a synchronous mount.
   */
  IN_KERNEL,
  /**
   * Read into page-aligned memory and written by a {@link BlockWriter}, in the size of the mount.
   */
  BLOCK_WRITES
}
