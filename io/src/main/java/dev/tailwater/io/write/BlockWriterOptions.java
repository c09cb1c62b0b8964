package dev.tailwater.io.write;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * The options of a {@link BlockWriter}. Immutable; one value can be used for any number of files of
 * a mount.
 *
 * <pre>{@code
 * BlockWriterOptions options =
 *     BlockWriterOptions.defaults().withWriteBytes(1 << 20).with(WriteTrait.SYNC_ON_CLOSE);
 * }</pre>
 *
 * @param writeBytes the size of a kernel write, and of the buffer; rounded down to a multiple of
 *     the block size, but at least one block
 * @param blockBytes the block size to align to: a power of two from 512 to 1,048,576; 0 asks the
 *     file system
 * @param maxUnflushedBytes the most that a write may leave in the buffer; if it would leave more,
 *     everything is handed to the kernel. 0 flushes after every write, {@link Integer#MAX_VALUE}
 *     writes only whole buffers. If kernel writes are durable, this bounds what a crash can lose
 * @param preallocateBytes the steps in which space is preallocated at the end of a growing file
 *     (fallocate(2)); 0 for none. Released at close; nobody else may extend the file meanwhile
 */
public record BlockWriterOptions(
    int writeBytes,
    int blockBytes,
    int maxUnflushedBytes,
    long preallocateBytes,
    Set<WriteTrait> traits) {
  /** The default for a local disk; larger writes gain little. */
  public static final int DEFAULT_WRITE_BYTES = 256 * 1024;

  /** The largest write; larger ones would only take memory. */
  public static final int MAX_WRITE_BYTES = 64 * 1024 * 1024;

  private static final int MIN_BLOCK_BYTES = 512;
  private static final int MAX_BLOCK_BYTES = 1 << 20;
  private static final BlockWriterOptions DEFAULTS =
      new BlockWriterOptions(DEFAULT_WRITE_BYTES, 0, Integer.MAX_VALUE, 0, Set.of());

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException for one that is not as described; the message says which
   */
  public BlockWriterOptions {
    if (writeBytes < 1 || writeBytes > MAX_WRITE_BYTES) {
      throw new IllegalArgumentException(
          "writeBytes must be 1 to " + MAX_WRITE_BYTES + ", not " + writeBytes);
    }
    boolean isBlock =
        Integer.bitCount(blockBytes) == 1
            && blockBytes >= MIN_BLOCK_BYTES
            && blockBytes <= MAX_BLOCK_BYTES;
    if (blockBytes != 0 && !isBlock) {
      throw new IllegalArgumentException(
          "blockBytes must be 0 or a power of two from 512 to 1048576, not " + blockBytes);
    }
    if (maxUnflushedBytes < 0 || preallocateBytes < 0) {
      throw new IllegalArgumentException(
          "negative: maxUnflushedBytes "
              + maxUnflushedBytes
              + ", preallocateBytes "
              + preallocateBytes);
    }
    traits = Set.copyOf(traits);
  }

  /**
   * Returns options for a local disk: writes of 256 KiB through the page cache; only sync() makes
   * them durable.
   */
  public static BlockWriterOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns options for a mount: its preferred write size, its block size, and {@link
   * WriteTrait#SYNCHRONOUS_MOUNT} if a write(2) that returns is durable, as on synchronous local
   * mounts and NFS. A FUSE, CIFS or 9p server that gets each write at once may still keep it in
   * memory; there, only {@link BlockWriter#sync} makes bytes durable.
   */
  public static BlockWriterOptions of(MountInfo mount) {
    boolean durable =
        mount.synchronous() && (mount.kind() == FileSystemKind.LOCAL || mount.nfs().isPresent());
    BlockWriterOptions options =
        DEFAULTS
            .withWriteBytes(mount.preferredWriteBytes())
            .withBlockBytes(WriteGeometry.usableBlockBytes(mount.blockSizeBytes()));
    return durable ? options.with(WriteTrait.SYNCHRONOUS_MOUNT) : options;
  }

  /** With another {@link #writeBytes}. */
  public BlockWriterOptions withWriteBytes(int bytes) {
    return new BlockWriterOptions(bytes, blockBytes, maxUnflushedBytes, preallocateBytes, traits);
  }

  /** With another {@link #blockBytes}. */
  public BlockWriterOptions withBlockBytes(int bytes) {
    return new BlockWriterOptions(writeBytes, bytes, maxUnflushedBytes, preallocateBytes, traits);
  }

  /** With another {@link #maxUnflushedBytes}. */
  public BlockWriterOptions withMaxUnflushedBytes(int bytes) {
    return new BlockWriterOptions(writeBytes, blockBytes, bytes, preallocateBytes, traits);
  }

  /** Hands every application write to the kernel before it returns, however small it is. */
  public BlockWriterOptions withFlushEachWrite() {
    return withMaxUnflushedBytes(0);
  }

  /** With another {@link #preallocateBytes}. */
  public BlockWriterOptions withPreallocateBytes(long bytes) {
    return new BlockWriterOptions(writeBytes, blockBytes, maxUnflushedBytes, bytes, traits);
  }

  /** With additional traits. */
  public BlockWriterOptions with(WriteTrait... more) {
    EnumSet<WriteTrait> all = EnumSet.noneOf(WriteTrait.class);
    all.addAll(traits);
    all.addAll(Arrays.asList(more));
    return new BlockWriterOptions(writeBytes, blockBytes, maxUnflushedBytes, preallocateBytes, all);
  }

  /** Returns whether it has a trait. */
  public boolean has(WriteTrait trait) {
    return traits.contains(trait);
  }
}
