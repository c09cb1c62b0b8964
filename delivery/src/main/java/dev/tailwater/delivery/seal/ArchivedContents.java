package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.checkpoint.ArchivedContent;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.StatedContent;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Collects what the archive states of all bytes of a stream whose checksums are lost. Packs need no
 * request. Segments need a listing, and one request each, for so many of a stream at the most.
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

  /** Returns what is stated of a stream. */
  ArchivedContent of(StreamProgress stream, Inventory.Holding holding) throws IOException {
    List<ArchivedContent.Stated> stated = new ArrayList<>();
    holding
        .packed()
        .forEach(
            run ->
                stated.add(new ArchivedContent.Stated(run.range(), sum -> sum == run.rawCrc32c())));
    OptionalLong readWith = holding.packedReadWithNanos();
    Optional<ArchiveObject.Segment> furthest = holding.furthestSegment();
    if (furthest.isPresent()) {
      addSegments(stream, holding, stated);
      readWith = later(readWith, inventory.readWithNanos(furthest.get()));
    }
    return ArchivedContent.of(stated, stream.durableBytes(), readWith);
  }

  private static OptionalLong later(OptionalLong one, OptionalLong other) {
    return one.isPresent() && (other.isEmpty() || one.getAsLong() > other.getAsLong())
        ? one
        : other;
  }

  private void addSegments(
      StreamProgress stream, Inventory.Holding holding, List<ArchivedContent.Stated> stated)
      throws IOException {
    List<ArchiveObject.Segment> segments = new ArrayList<>();
    for (ArchiveObject.Segment segment :
        inventory.segmentsWithin(
            stream.streamPrefix(), new ByteRange(0, Math.max(1, stream.durableBytes())))) {
      if (!holding.replacesIn(segment.range())) {
        segments.add(segment);
      }
    }
    segments.sort(
        Comparator.comparingLong((ArchiveObject.Segment one) -> one.range().lengthBytes())
            .reversed());
    int count = Math.min(MOST_SEGMENTS, segments.size());
    for (ArchiveObject.Segment segment : segments.subList(0, count)) {
      Optional<ContentStanza> states = content.read(segment);
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
              + " segments, and the state is lost: "
              + rest.size()
              + " of them are not compared with the file",
          Optional.of(
              "What was rewritten there while no agent ran is not delivered. Have short segments"
                  + " merged (merge), so that there are fewer."),
          true);
    }
  }
}
