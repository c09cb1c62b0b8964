package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import java.util.List;

/**
 * Segments that are to become one.
 *
 * @param parts two or more adjacent segments
 */
record MergePlan(StreamProgress stream, List<ShortSegments.Part> parts) {
  ByteRange range() {
    return new ByteRange(parts.getFirst().range().startBytes(), parts.getLast().range().endBytes());
  }

  /** Returns the CRC-32C of the bytes of all. */
  int rawCrc32c() {
    return rawCrc32c(parts);
  }

  static int rawCrc32c(List<ShortSegments.Part> parts) {
    int crc = 0;
    for (ShortSegments.Part part : parts) {
      crc = Crc32cCombination.combine(crc, part.rawCrc32c(), part.range().lengthBytes());
    }
    return crc;
  }

  /** Returns the tier of the segment that is made. */
  int tier() {
    return 1 + parts.stream().mapToInt(ShortSegments.Part::tier).max().orElse(0);
  }
}
