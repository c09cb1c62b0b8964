package dev.tailwater.delivery.pack;

import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.stream.Description;
import java.util.ArrayList;
import java.util.List;

/** What a pack says of a stream: the facts of its description. */
public final class StreamFacts {
  private StreamFacts() {}

  /**
   * Returns the facts, in the order in which they hold.
   *
   * @param number the number of the stream in the group of the pack
   * @param hasRange whether the pack has a range of it, which tells its attributes
   */
  public static List<StreamFact> of(Description description, int number, boolean hasRange) {
    List<StreamFact> facts = new ArrayList<>();
    StreamRecord record = description.record();
    Description.Corrections corrections = description.corrections();
    // Of an empty file, no range tells since when it is at its path.
    boolean isEmpty = record.sizeBytes() == 0 && !record.paths().isEmpty();
    if (corrections.path() || isEmpty) {
      facts.add(new StreamFact.Renamed(number, description.path(), description.seenAtMillis()));
    }
    // Bytes may be in segments, which were read when the file had other attributes.
    if (!hasRange) {
      facts.add(
          new StreamFact.Attributes(
              number,
              record.permissions(),
              record.sizeBytes(),
              record.modificationTimeNanos(),
              description.seenAtMillis()));
    }
    for (GapRecord gap : description.gaps()) {
      facts.add(new StreamFact.Missing(number, gap.range(), gap.reason(), gap.atMillis()));
    }
    if (corrections.changed()) {
      facts.add(new StreamFact.ChangedInPlace(number, record.changedInPlace()));
    }
    if (record.end().isPresent()) {
      StreamRecord.End end = record.end().get();
      facts.add(new StreamFact.Ended(number, end.reason(), end.sizeBytes(), end.atMillis()));
    } else if (corrections.ended()) {
      facts.add(new StreamFact.Continued(number));
    }
    return facts;
  }
}
