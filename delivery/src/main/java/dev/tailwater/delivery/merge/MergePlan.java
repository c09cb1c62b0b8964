package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.List;
import java.util.Optional;

/**
 * What is to become one long segment.
 *
 * @param parts two or more adjacent segments; or one range that is in packs
 * @param isGathered whether it is in packs, which stay
 */
record MergePlan(StreamProgress stream, List<ShortSegments.Part> parts, boolean isGathered) {
  MergePlan {
    parts = List.copyOf(parts);
  }

  /** Plans to merge segments. */
  static MergePlan ofSegments(StreamProgress stream, List<ShortSegments.Part> parts) {
    return new MergePlan(stream, parts, false);
  }

  /** Plans to make a segment of what a stream has gathered in packs. */
  static MergePlan gathered(StreamProgress stream, ByteRange range, int rawCrc32c) {
    return new MergePlan(
        stream, List.of(new ShortSegments.Part(range, rawCrc32c, 0, Optional.empty())), true);
  }

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
