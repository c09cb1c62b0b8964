package dev.tailwater.delivery;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.io.copy.StreamingCopy;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** A sound segment of a stream that its agent did not write, as anybody can put one. */
final class ForeignSegment {
  private ForeignSegment() {}

  /**
   * Puts zeros in the place of bytes of a stream, unsigned.
   *
   * @param of a segment of the stream
   * @return the key
   */
  static String put(Destination archive, ArchiveObject.Segment of, long startBytes, int lengthBytes)
      throws DestinationException {
    try (SegmentSealer sealer =
        new SegmentSealer(
            new Codec.Zstd(1),
            List.of(),
            Optional.empty(),
            new SecureRandom(),
            StreamingCopy.load())) {
      sealer.begin(
          new byte[sealer.stagingBytesFor(lengthBytes)],
          of.agent(),
          of.stream(),
          of.streamPrefix(),
          startBytes);
      sealer.append(new byte[lengthBytes], 0, lengthBytes);
      SealedSegment sealed = sealer.finish(of.birthPath(), 0, 0640, 0);
      archive.putSegment(sealed.key(), sealed.content());
      return sealed.key();
    }
  }

  /** Returns the segments that an archive has, in the order of their keys. */
  static List<ArchiveObject.Segment> all(Destination archive) throws DestinationException {
    return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
        .map(Entry::key)
        .flatMap(key -> ArchiveNames.parse(key).stream())
        .filter(ArchiveObject.Segment.class::isInstance)
        .map(ArchiveObject.Segment.class::cast)
        .toList();
  }
}
