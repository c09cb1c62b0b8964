package dev.tailwater.delivery.pack;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;

/**
 * Adjacent ranges of one stream, with the CRC-32C of their bytes.
 *
 * @param modificationTimeNanos the file's mtime when the last range was read
 */
public record HeldRun(ByteRange range, int rawCrc32c, long modificationTimeNanos) {
  boolean isContinuedBy(HeldRun next) {
    return next.range.startBytes() == range.endBytes();
  }

  HeldRun with(HeldRun next) {
    return new HeldRun(
        new ByteRange(range.startBytes(), next.range.endBytes()),
        Crc32cCombination.combine(rawCrc32c, next.rawCrc32c, next.range.lengthBytes()),
        next.modificationTimeNanos);
  }
}
