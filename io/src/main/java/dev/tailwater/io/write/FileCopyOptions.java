package dev.tailwater.io.write;

import java.util.Optional;

/**
 * The options of a {@link FileCopy}. Immutable.
 *
 * @param keepHoles whether holes of the source become holes of the target instead of zeros
 * @param sync whether the bytes are durable when the copy returns
 * @param method the method to try first; empty to choose by the mounts
 * @param writeBytes the size of a kernel write of {@link CopyMethod#BLOCK_WRITES}, up to {@link
 *     BlockWriterOptions#MAX_WRITE_BYTES}; 0 asks the target's mount
 */
public record FileCopyOptions(
    boolean keepHoles, boolean sync, Optional<CopyMethod> method, int writeBytes) {
  private static final FileCopyOptions DEFAULTS =
      new FileCopyOptions(false, false, Optional.empty(), 0);

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException unless it is 0 to {@link BlockWriterOptions#MAX_WRITE_BYTES}
   */
  public FileCopyOptions {
    if (writeBytes < 0 || writeBytes > BlockWriterOptions.MAX_WRITE_BYTES) {
      throw new IllegalArgumentException(
          "writeBytes must be 0 to " + BlockWriterOptions.MAX_WRITE_BYTES + ", not " + writeBytes);
    }
  }

  /**
   * Returns options with zeros for holes, no sync, and the method and size that suit the mounts.
   */
  public static FileCopyOptions defaults() {
    return DEFAULTS;
  }

  /** With holes kept. */
  public FileCopyOptions withHoles() {
    return new FileCopyOptions(true, sync, method, writeBytes);
  }

  /** With an fdatasync(2) at the end. */
  public FileCopyOptions withSync() {
    return new FileCopyOptions(keepHoles, true, method, writeBytes);
  }

  /** With a method, unless the kernel refuses it. */
  public FileCopyOptions withMethod(CopyMethod first) {
    return new FileCopyOptions(keepHoles, sync, Optional.of(first), writeBytes);
  }

  /** With another {@link #writeBytes}. */
  public FileCopyOptions withWriteBytes(int bytes) {
    return new FileCopyOptions(keepHoles, sync, method, bytes);
  }
}
