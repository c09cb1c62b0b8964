package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;

/**
 * The block and write sizes of a writer.
 *
 * @param blockBytes a power of two; a kernel write that begins or ends inside such a block may make
 *     the kernel read it
 * @param windowBytes the size of a whole kernel write, a multiple of the block
 */
record WriteGeometry(int blockBytes, int windowBytes) {
  /** Larger reported sizes, as of some servers, are not units in which anything is rewritten. */
  private static final int MAX_REPORTED_BLOCK_BYTES = 64 * 1024;

  /** The largest files, of xfs, have almost 8 EiB; beyond this, sums of offsets would overflow. */
  private static final long MAX_OFFSET_BYTES = Long.MAX_VALUE - (1L << 40);

  private static final int USUAL_BLOCK_BYTES = 4096;
  private static final int MIN_BLOCK_BYTES = 512;

  /**
   * Returns the sizes for a file.
   *
   * @param blockBytes 0 to ask the file system: one fstatfs(2)
   * @param writeBytes the wanted size of a kernel write
   */
  static WriteGeometry of(Descriptor file, int blockBytes, int writeBytes) throws ErrnoException {
    int block =
        blockBytes != 0
            ? blockBytes
            : usableBlockBytes(file.calls().statfs(file.fd()).blockSizeBytes());
    return new WriteGeometry(block, Math.max(writeBytes / block, 1) * block);
  }

  /** Returns the block size to use for the size that a file system reports. */
  static int usableBlockBytes(long reportedBytes) {
    return Long.bitCount(reportedBytes) == 1
            && reportedBytes >= MIN_BLOCK_BYTES
            && reportedBytes <= MAX_REPORTED_BLOCK_BYTES
        ? (int) reportedBytes
        : USUAL_BLOCK_BYTES;
  }

  /** Throws {@link IllegalArgumentException} for an offset that no file has. */
  static void requireOffset(long offsetBytes) {
    if (offsetBytes < 0 || offsetBytes > MAX_OFFSET_BYTES) {
      throw new IllegalArgumentException(
          "offset must be 0 to " + MAX_OFFSET_BYTES + ", not " + offsetBytes);
    }
  }

  long windowStart(long offsetBytes) {
    return offsetBytes - offsetBytes % windowBytes;
  }

  long blockStart(long offsetBytes) {
    return offsetBytes & -blockBytes;
  }

  /** Returns the first block boundary at or after an offset. */
  long blockEnd(long offsetBytes) {
    return blockStart(offsetBytes + blockBytes - 1);
  }
}
