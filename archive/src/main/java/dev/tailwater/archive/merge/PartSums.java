package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.open.OpenedPack;
import java.io.IOException;
import java.util.zip.CRC32C;

/** Checksums of parts of the ranges of one pack, with one unit of it in memory. For one thread. */
final class PartSums {
  private final PackInput input;
  private int unit = -1;
  private byte[] unitBytes = new byte[0];

  PartSums(PackInput input) {
    this.input = input;
  }

  /**
   * Returns the CRC-32C of a part of a range.
   *
   * @param index which of the ranges
   * @throws IOException the pack does not hold what its directory says
   */
  int crc32c(int index, ByteRange part) throws IOException {
    OpenedPack pack = input.pack();
    CRC32C crc = new CRC32C();
    long at = pack.directory().ranges().get(index).range().startBytes();
    for (int number = pack.firstUnit(index); number < pack.endUnit(index); number++) {
      ByteRange inUnit = pack.partOf(index, number);
      long from = Math.max(part.startBytes(), at);
      long to = Math.min(part.endBytes(), at + inUnit.lengthBytes());
      if (from < to) {
        int offset = (int) (inUnit.startBytes() + from - at);
        crc.update(unit(number), offset, (int) (to - from));
      }
      at += inUnit.lengthBytes();
    }
    return (int) crc.getValue();
  }

  private byte[] unit(int number) throws IOException {
    if (unit != number) {
      unit = -1; // Until all of it is there.
      unitBytes = input.unit(number, unitBytes);
      unit = number;
    }
    return unitBytes;
  }
}
