package dev.tailwater.delivery.pack;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.seal.PlainPack;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.stream.Description;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.Marker;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A sealed pack on its way to a destination.
 *
 * @param front what a manifest may repeat of it, if that is worth it
 * @param parts the ranges in it that continue streams
 * @param revised those that replace bytes of streams
 * @param said what it says of streams beside their bytes
 * @param plain what it is without encryption, if it is short enough to be merged
 * @param dueNanos when its sealing was due, from which its latency counts
 * @param release gives the staging buffer back; called once, when the pack is durable or given up
 */
public record PackedDelivery(
    SealedPack pack,
    Optional<PlainPack> plain,
    Optional<PackFront> front,
    List<Part> parts,
    List<Revised> revised,
    List<Said> said,
    long dueNanos,
    Runnable release) {
  public PackedDelivery {
    parts = List.copyOf(parts);
    revised = List.copyOf(revised);
    said = List.copyOf(said);
  }

  /**
   * A range in a pack.
   *
   * @param markerAtEnd checksum of the stream's bytes before the range's end
   * @param sinceNanos when the first of its bytes was seen in the file, which decides their age
   */
  public record Part(StreamProgress stream, ByteRange range, Marker markerAtEnd, long sinceNanos) {}

  /**
   * A range in a pack that replaces what was delivered before.
   *
   * @param read the checksums of the bytes
   * @param sinceNanos when it was found that they differ
   */
  public record Revised(StreamProgress stream, ByteRange range, BlockRun read, long sinceNanos) {}

  /** What a pack says of a stream. */
  public record Said(StreamProgress stream, Description description) {}

  /** Returns the streams that it is about. */
  public Set<StreamProgress> streams() {
    Set<StreamProgress> streams = new LinkedHashSet<>();
    parts.forEach(part -> streams.add(part.stream()));
    revised.forEach(range -> streams.add(range.stream()));
    said.forEach(fact -> streams.add(fact.stream()));
    return streams;
  }

  /** Returns how many bytes of files it holds. */
  public long rawBytes() {
    return parts.stream().mapToLong(part -> part.range().lengthBytes()).sum()
        + revised.stream().mapToLong(range -> range.range().lengthBytes()).sum();
  }
}
