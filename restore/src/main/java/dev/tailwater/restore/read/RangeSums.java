package dev.tailwater.restore.read;

import dev.tailwater.archive.ByteRange;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.CRC32C;

/** Takes the raw bytes of a segment, and computes the CRC-32C of ranges in it. For one thread. */
public final class RangeSums extends OutputStream {
  private final List<ByteRange> ranges;
  private final CRC32C[] sums;
  private long positionBytes;
  private int firstOpen;

  /**
   * Begins a segment.
   *
   * @param startBytes its first byte
   * @param ranges within it, by start
   */
  public RangeSums(long startBytes, List<ByteRange> ranges) {
    this.positionBytes = startBytes;
    this.ranges = List.copyOf(ranges);
    this.sums = new CRC32C[ranges.size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new CRC32C();
    }
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int lengthBytes) {
    long end = positionBytes + lengthBytes;
    while (firstOpen < sums.length && ranges.get(firstOpen).endBytes() <= positionBytes) {
      firstOpen++;
    }
    for (int i = firstOpen; i < sums.length && ranges.get(i).startBytes() < end; i++) {
      long start = Math.max(positionBytes, ranges.get(i).startBytes());
      long stop = Math.min(end, ranges.get(i).endBytes());
      if (start < stop) {
        sums[i].update(bytes, from + (int) (start - positionBytes), (int) (stop - start));
      }
    }
    positionBytes = end;
  }

  /** Returns the checksum of a range; right once the whole segment was taken. */
  public int rawCrc32c(int index) {
    return (int) sums[index].getValue();
  }
}
