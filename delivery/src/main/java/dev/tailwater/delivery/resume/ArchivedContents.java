package dev.tailwater.delivery.resume;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.StatedContent;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockSums;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Collects what the archive states of the bytes of a stream whose checksums are lost: all of them
 * after a loss of the state, and what was delivered since the last checkpoint after a kill. Packs
 * need no request. Segments need a listing, and one request each, for so many of a stream at the
 * most.
 */
final class ArchivedContents {
  private static final int MOST_SEGMENTS = 64;

  private static final String SUBJECT = "content check";

  private final Inventory inventory;
  private final StatedContent content;
  private final Problems problems;

  ArchivedContents(Inventory inventory, StatedContent content, Problems problems) {
    this.inventory = inventory;
    this.content = content;
    this.problems = problems;
  }

  /**
   * Returns what is stated of a stream.
   *
   * @param fromBytes where the bytes begin whose checksums are lost
   */
  ArchivedContent of(StreamProgress stream, Holding holding, long fromBytes) throws IOException {
    List<ArchivedContent.Stated> stated = new ArrayList<>();
    holding.packed().stream()
        .filter(run -> run.range().endBytes() > fromBytes)
        .forEach(
            run ->
                stated.add(new ArchivedContent.Stated(run.range(), sum -> sum == run.rawCrc32c())));
    OptionalLong readWith = holding.packedReadWithNanos();
    Optional<ArchiveObject.Segment> furthest =
        holding.furthestSegment().filter(segment -> segment.range().endBytes() > fromBytes);
    if (furthest.isPresent()) {
      addSegments(stream, holding, fromBytes, stated);
      readWith = later(readWith, inventory.readWithNanos(furthest.get()));
    }
    long heldFromBytes = fromBytes - addIncomplete(stream, fromBytes, stated);
    return ArchivedContent.of(stated, heldFrom(stream, heldFromBytes), readWith);
  }

  /**
   * Adds the first bytes of a block in which the checksums end: what is known of them is of no use
   * once the block is complete.
   *
   * @return how many they are
   */
  private static long addIncomplete(
      StreamProgress stream, long toBytes, List<ArchivedContent.Stated> stated) {
    OptionalLong known = stream.blocks().incompleteBefore(toBytes);
    if (known.isEmpty()) {
      return 0;
    }
    int crc32c = (int) known.getAsLong();
    long lengthBytes = toBytes % BlockSums.BLOCK_BYTES;
    stated.add(
        new ArchivedContent.Stated(
            new ByteRange(toBytes - lengthBytes, toBytes), sum -> sum == crc32c));
    return lengthBytes;
  }

  private static List<ByteRange> heldFrom(StreamProgress stream, long fromBytes) {
    return stream.durableRanges().stream()
        .filter(range -> range.endBytes() > fromBytes)
        .map(range -> new ByteRange(Math.max(fromBytes, range.startBytes()), range.endBytes()))
        .toList();
  }

  private static OptionalLong later(OptionalLong one, OptionalLong other) {
    return one.isPresent() && (other.isEmpty() || one.getAsLong() > other.getAsLong())
        ? one
        : other;
  }

  private void addSegments(
      StreamProgress stream, Holding holding, long fromBytes, List<ArchivedContent.Stated> stated)
      throws IOException {
    List<ByteRange> held = stream.durableRanges();
    long endBytes = held.isEmpty() ? 1 : held.getLast().endBytes();
    List<ArchiveObject.Segment> segments = new ArrayList<>();
    for (ArchiveObject.Segment segment :
        inventory.segmentsWithin(stream.streamPrefix(), new ByteRange(0, endBytes))) {
      if (segment.range().endBytes() > fromBytes && !holding.replacesIn(segment.range())) {
        segments.add(segment);
      }
    }
    segments.sort(
        Comparator.comparingLong((ArchiveObject.Segment one) -> one.range().lengthBytes())
            .reversed());
    int count = Math.min(MOST_SEGMENTS, segments.size());
    for (ArchiveObject.Segment segment : segments.subList(0, count)) {
      Optional<ContentStanza> states = content.readUnlessCold(segment);
      if (states.isPresent() && states.get().range().equals(segment.range())) {
        stated.add(
            new ArchivedContent.Stated(
                segment.range(), sum -> content.matches(segment, states.get(), sum)));
      }
    }
    List<ArchiveObject.Segment> rest = segments.subList(count, segments.size());
    if (!rest.isEmpty()) {
      // Said, and taken as they are: to deliver them again would be to deliver most of a long log.
      rest.forEach(one -> stated.add(new ArchivedContent.Stated(one.range(), _ -> true)));
      problems.reportHarmless(
          SUBJECT,
          stream.path()
              + " is in "
              + segments.size()
              + " segments of which the state has no checksums: "
              + rest.size()
              + (rest.size() == 1 ? " of them is" : " of them are")
              + " not compared with the file",
          Optional.of(
              "What was rewritten there while no agent ran is not delivered. Have short segments"
                  + " merged (merge), so that there are fewer."),
          true);
    }
  }
}
