package dev.tailwater.io.write;

/** How a {@link FileCopy} moves its bytes. */
public enum CopyWay {
  /**
   * copy_file_range(2): the bytes never come to this process, and a file system that can shares
   * them. What the kernel hands on at a time is its own choice, which is small on a synchronous
   * mount.
   */
  IN_KERNEL,
  /**
   * Read into page-aligned memory and written by a {@link BlockWriter}, in the size of the mount.
   */
  BLOCK_WRITES
}
