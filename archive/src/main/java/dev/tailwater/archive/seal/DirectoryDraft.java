package dev.tailwater.archive.seal;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.PackedTree;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The directory of a pack in progress, with a bound on its length. Not thread-safe. */
final class DirectoryDraft {
  /** Agent, group, number, time, and how many there are of each kind. */
  private static final int BASE_BYTES = 160;

  private static final int UNIT_BYTES = 10;
  private static final int RANGE_BYTES = 55;
  private static final int STREAM_BYTES = 70;

  /** Ids, the lengths of names, the number in the table, and a time beside it. */
  private static final int OWNER_BYTES = 32;

  /** A path, lengths, mode, and three counts. */
  private static final int STATEMENT_BYTES = 64;

  /** The length of a name or a path. */
  private static final int NAME_BYTES = 3;

  /** Two paths of at most 4 096 bytes are the longest texts of a fact. */
  private static final int FACT_BYTES = 64;

  private final PackId id;
  private final List<PackUnit> units = new ArrayList<>();
  private final List<PackedStream> streams = new ArrayList<>();
  private final List<PackedRange> ranges = new ArrayList<>();
  private final List<StreamFact> facts = new ArrayList<>();
  private int streamBytes;
  private int factBytes;
  private final List<DirectoryStatement> directories = new ArrayList<>();
  private final List<AttributeStatement> files = new ArrayList<>();
  private int treeBytes;
  private boolean whole;

  DirectoryDraft(PackId id) {
    this.id = id;
  }

  PackId id() {
    return id;
  }

  void add(PackUnit unit) {
    units.add(unit);
  }

  void add(PackedRange range) {
    ranges.add(range);
  }

  void add(PackedStream stream) {
    streams.add(stream);
    streamBytes += maxBytes(stream);
  }

  void add(StreamFact fact) {
    facts.add(fact);
    factBytes += maxBytes(fact);
  }

  void add(TreeStatement statement) {
    switch (statement) {
      case DirectoryStatement directory -> directories.add(directory);
      case AttributeStatement file -> files.add(file);
    }
    treeBytes += maxBytes(statement);
  }

  /** Notes that the whole tree is told with this pack. */
  void whole() {
    whole = true;
  }

  static int maxBytes(PackedStream stream) {
    int birthBytes = stream.birthPath().lengthBytes();
    boolean moved = !stream.path().equals(stream.birthPath());
    return STREAM_BYTES
        + birthBytes
        + (moved ? stream.path().lengthBytes() : 0)
        + maxBytes(stream.owner());
  }

  private static int maxBytes(Optional<FileOwner> owner) {
    int names = owner.isPresent() ? owner.get().user().length() + owner.get().group().length() : 0;
    return OWNER_BYTES + 3 * names;
  }

  static int maxBytes(TreeStatement statement) {
    return switch (statement) {
      case DirectoryStatement directory -> maxBytes(directory);
      case AttributeStatement file ->
          STATEMENT_BYTES + StreamId.LENGTH_CHARACTERS + maxBytes(file.attributes());
    };
  }

  private static int maxBytes(ExtendedAttributes attributes) {
    return attributes.lengthBytes() + attributes.names().size() * 2 * NAME_BYTES;
  }

  private static int maxBytes(DirectoryStatement directory) {
    int bytes = STATEMENT_BYTES + directory.path().lengthBytes();
    if (directory.there().isEmpty()) {
      return bytes;
    }
    DirectoryStatement.Contents there = directory.there().get();
    bytes += maxBytes(there.attributes().owner()) + maxBytes(there.extended());
    for (PosixPath name : there.directories()) {
      bytes += NAME_BYTES + name.lengthBytes();
    }
    for (DirectoryStatement.Link link : there.links()) {
      bytes += 2 * NAME_BYTES + link.name().lengthBytes() + link.target().lengthBytes();
      bytes += maxBytes(link.attributes().owner());
    }
    for (DirectoryStatement.FurtherName further : there.furtherNames()) {
      bytes += 3 * NAME_BYTES + further.name().lengthBytes() + further.file().lengthBytes();
      bytes += StreamId.LENGTH_CHARACTERS;
    }
    return bytes;
  }

  static int maxBytes(StreamFact fact) {
    return FACT_BYTES
        + switch (fact) {
          case StreamFact.Renamed renamed -> renamed.path().toBytes().length;
          case StreamFact.Missing missing -> 3 * missing.reason().length();
          case StreamFact.Attributes _,
              StreamFact.Ended _,
              StreamFact.Continued _,
              StreamFact.Dropped _,
              StreamFact.ChangedInPlace _ ->
              0;
        };
  }

  /** Returns how long the content of a directory with all this can get. */
  static int maxContentBytes(
      List<PackedStream> streams, List<StreamFact> facts, int ranges, int units) {
    int bytes = BASE_BYTES + units * UNIT_BYTES + ranges * RANGE_BYTES;
    for (PackedStream stream : streams) {
      bytes += maxBytes(stream);
    }
    for (StreamFact fact : facts) {
      bytes += maxBytes(fact);
    }
    return bytes;
  }

  /** Returns how long the content of the same directory could get if it was made again. */
  static int maxContentBytes(PackDirectory directory) {
    return maxContentBytes(
        directory.streams(),
        directory.facts(),
        directory.ranges().size(),
        directory.units().size());
  }

  boolean mayHaveAnotherStream() {
    return streams.size() < PackDirectory.MAX_ENTRIES;
  }

  boolean mayHaveAnotherRange() {
    return ranges.size() < PackDirectory.MAX_ENTRIES;
  }

  boolean mayHaveAnotherFact() {
    return facts.size() < PackDirectory.MAX_ENTRIES;
  }

  /** Returns how long the directory's content can get with this many ranges and units more. */
  int maxContentBytes(int moreRanges, int moreUnits) {
    return BASE_BYTES
        + (units.size() + moreUnits) * UNIT_BYTES
        + (ranges.size() + moreRanges) * RANGE_BYTES
        + streamBytes
        + factBytes
        + treeBytes;
  }

  /** Removes units again, which held only bytes of a range that is dropped. */
  void keepUnits(int count) {
    units.subList(count, units.size()).clear();
  }

  int unitCount() {
    return units.size();
  }

  boolean isEmpty() {
    return ranges.isEmpty()
        && facts.isEmpty()
        && streams.isEmpty()
        && directories.isEmpty()
        && files.isEmpty();
  }

  PackDirectory finish(long sealedAtMillis) {
    sortStreams();
    PackedTree tree = new PackedTree(directories, files, whole);
    return new PackDirectory(id, sealedAtMillis, units, streams, ranges, facts, tree);
  }

  /** Sorts them by their numbers. What was described again has changed: the last one counts. */
  private void sortStreams() {
    streams.sort(Comparator.comparingInt(PackedStream::number));
    int count = 0;
    for (PackedStream stream : streams) {
      boolean again = count > 0 && streams.get(count - 1).number() == stream.number();
      streams.set(again ? count - 1 : count++, stream);
    }
    streams.subList(count, streams.size()).clear();
  }
}
