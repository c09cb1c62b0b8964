package dev.tailwater.delivery.sums;

/**
 * The checksums of bytes that are read in one go, cut at the borders of the stream's blocks. For
 * one thread until it is complete.
 */
public final class BlockRun {
  /** The checksum of a block of zeros. */
  public static final long ZERO_BLOCK = BlockSum.ofZeros(BlockSums.BLOCK_BYTES);

  private final long startBytes;
  private final SumTable pieces = new SumTable();
  private int count;
  private long endBytes;

  /** Creates a run without bytes. */
  public BlockRun(long startBytes) {
    this.startBytes = startBytes;
    this.endBytes = startBytes;
  }

  /** Returns the checksum of some bytes. */
  public static long sumOf(byte[] bytes, int from, int lengthBytes) {
    return BlockSum.of(bytes, from, lengthBytes);
  }

  /** Adds the next bytes. */
  public void add(byte[] bytes, int from, int lengthBytes) {
    int at = from;
    int left = lengthBytes;
    while (left > 0) {
      int part = (int) Math.min(left, roomBytes());
      add(BlockSum.of(bytes, at, part), part);
      at += part;
      left -= part;
    }
  }

  /** Adds zeros. */
  public void addZeros(long lengthBytes) {
    long left = lengthBytes;
    while (left > 0 && BlockSums.blockOf(endBytes) < BlockSums.MOST_BLOCKS) {
      long part = Math.min(left, roomBytes());
      add(part == BlockSums.BLOCK_BYTES ? ZERO_BLOCK : BlockSum.ofZeros(part), (int) part);
      left -= part;
    }
    endBytes += left; // Of which nobody remembers anything.
  }

  private long roomBytes() {
    return BlockSums.BLOCK_BYTES - endBytes % BlockSums.BLOCK_BYTES;
  }

  private void add(long sum, int lengthBytes) {
    boolean continues = count > 0 && endBytes % BlockSums.BLOCK_BYTES != 0;
    endBytes += lengthBytes;
    if (BlockSums.blockOf(endBytes - 1) >= BlockSums.MOST_BLOCKS) {
      return; // Nobody remembers it.
    }
    if (continues) {
      pieces.set(count - 1, BlockSum.combine(pieces.get(count - 1), sum, lengthBytes));
      return;
    }
    pieces.set(count++, sum);
  }

  long startBytes() {
    return startBytes;
  }

  long endBytes() {
    return endBytes;
  }

  /** Returns the checksum of the part of a block that the run has. */
  long piece(int number) {
    return pieces.get(number);
  }

  /** Returns how many blocks it has parts of, as far as these are remembered. */
  int pieces() {
    return count;
  }
}
