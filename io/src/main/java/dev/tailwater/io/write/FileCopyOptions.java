package dev.tailwater.io.write;

import java.util.Optional;

/**
 * How a {@link FileCopy} copies. Immutable.
 *
 * @param keepHoles whether holes of the source become holes of the target; else they are zeros
 * @param sync whether the bytes are durable when the copy returns
 * @param way which way to try first; empty lets the mounts decide
 * @param writeBytes the size of a kernel write of {@link CopyWay#BLOCK_WRITES}, up to {@link
 *     BlockWriterOptions#MAX_WRITE_BYTES}; 0 asks the target's mount
 */
public record FileCopyOptions(
    boolean keepHoles, boolean sync, Optional<CopyWay> way, int writeBytes) {
  private static final FileCopyOptions DEFAULTS =
      new FileCopyOptions(false, false, Optional.empty(), 0);

  public FileCopyOptions {
    if (writeBytes < 0 || writeBytes > BlockWriterOptions.MAX_WRITE_BYTES) {
      throw new IllegalArgumentException(
          "writeBytes must be 0 to " + BlockWriterOptions.MAX_WRITE_BYTES + ", not " + writeBytes);
    }
  }

  /** Zeros for holes, no sync, the way and the size that the mounts want. */
  public static FileCopyOptions defaults() {
    return DEFAULTS;
  }

  /** With holes kept. */
  public FileCopyOptions withHoles() {
    return new FileCopyOptions(true, sync, way, writeBytes);
  }

  /** With an fdatasync(2) at the end. */
  public FileCopyOptions withSync() {
    return new FileCopyOptions(keepHoles, true, way, writeBytes);
  }

  /** By that way, unless the kernel refuses it. */
  public FileCopyOptions withWay(CopyWay first) {
    return new FileCopyOptions(keepHoles, sync, Optional.of(first), writeBytes);
  }

  /** With another {@link #writeBytes}. */
  public FileCopyOptions withWriteBytes(int bytes) {
    return new FileCopyOptions(keepHoles, sync, way, bytes);
  }
}
