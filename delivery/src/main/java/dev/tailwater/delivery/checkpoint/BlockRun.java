package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.Crc32cCombination;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The checksums of bytes that are read in one go, cut at the borders of the stream's blocks. For
 * one thread until it is complete.
 */
public final class BlockRun {
  /** The checksum of a block of zeros. */
  public static final int ZERO_BLOCK = Crc32cCombination.ofZeros(BlockSums.BLOCK_BYTES);

  private final long startBytes;
  private final CRC32C crc = new CRC32C();
  private int[] pieces = new int[2];
  private int count;
  private long endBytes;

  /** Creates a run without bytes. */
  public BlockRun(long startBytes) {
    this.startBytes = startBytes;
    this.endBytes = startBytes;
  }

  /** Returns the checksum of some bytes. */
  public static int sumOf(byte[] bytes, int from, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, lengthBytes);
    return (int) crc.getValue();
  }

  /** Adds the next bytes. */
  public void add(byte[] bytes, int from, int lengthBytes) {
    int at = from;
    int left = lengthBytes;
    while (left > 0) {
      int part = (int) Math.min(left, roomBytes());
      crc.reset();
      crc.update(bytes, at, part);
      add((int) crc.getValue(), part);
      at += part;
      left -= part;
    }
  }

  /** Adds zeros. */
  public void addZeros(long lengthBytes) {
    long left = lengthBytes;
    while (left > 0) {
      long part = Math.min(left, roomBytes());
      add(part == BlockSums.BLOCK_BYTES ? ZERO_BLOCK : Crc32cCombination.ofZeros(part), (int) part);
      left -= part;
    }
  }

  private long roomBytes() {
    return BlockSums.BLOCK_BYTES - endBytes % BlockSums.BLOCK_BYTES;
  }

  private void add(int sum, int lengthBytes) {
    boolean continues = count > 0 && endBytes % BlockSums.BLOCK_BYTES != 0;
    endBytes += lengthBytes;
    if (BlockSums.blockOf(endBytes - 1) >= BlockSums.MOST_BLOCKS) {
      return; // Nobody remembers it.
    }
    if (continues) {
      pieces[count - 1] = Crc32cCombination.combine(pieces[count - 1], sum, lengthBytes);
      return;
    }
    if (count == pieces.length) {
      pieces = Arrays.copyOf(pieces, 2 * count);
    }
    pieces[count++] = sum;
  }

  long startBytes() {
    return startBytes;
  }

  long endBytes() {
    return endBytes;
  }

  /** Returns the checksum of the part of a block that the run has. */
  int piece(int number) {
    return pieces[number];
  }

  /** Returns how many blocks it has parts of, as far as these are remembered. */
  int pieces() {
    return count;
  }
}
