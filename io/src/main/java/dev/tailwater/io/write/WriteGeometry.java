package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;

/**
 * The sizes that a writer goes by.
 *
 * @param blockBytes a power of two; a kernel write that begins or ends inside such a block may make
 *     the kernel read it
 * @param windowBytes the size of a whole kernel write, a multiple of the block
 */
record Geometry(int blockBytes, int windowBytes) {
  /** What servers call a block may be a megabyte; nothing is read or rewritten in such units. */
  private static final int MAX_TOLD_BLOCK_BYTES = 64 * 1024;

  /** The largest files, of xfs, have almost 8 EiB; beyond this, sums of offsets would overflow. */
  private static final long MAX_OFFSET_BYTES = Long.MAX_VALUE - (1L << 40);

  private static final int USUAL_BLOCK_BYTES = 4096;
  private static final int MIN_BLOCK_BYTES = 512;

  /** By the options, and where they do not say by the file system: one fstatfs(2). */
  static Geometry of(Descriptor file, BlockWriterOptions options) throws ErrnoException {
    int block =
        options.blockBytes() != 0
            ? options.blockBytes()
            : usableBlockBytes(file.calls().statfs(file.fd()).blockSizeBytes());
    return new Geometry(block, Math.max(options.writeBytes() / block, 1) * block);
  }

  /** The block size to go by, where a file system says that one. */
  static int usableBlockBytes(long toldBytes) {
    return Long.bitCount(toldBytes) == 1
            && toldBytes >= MIN_BLOCK_BYTES
            && toldBytes <= MAX_TOLD_BLOCK_BYTES
        ? (int) toldBytes
        : USUAL_BLOCK_BYTES;
  }

  /** Refuses an offset that no file has. */
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

  /** The next offset at which a block begins; the offset itself where one does. */
  long blockEnd(long offsetBytes) {
    return blockStart(offsetBytes + blockBytes - 1);
  }
}
