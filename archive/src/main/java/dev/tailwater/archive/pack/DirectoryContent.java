package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PathNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The content of a directory before it is compressed: column by column, since equal things compress
 * well beside each other.
 */
final class DirectoryContent {
  private static final int MAX_AGENT_BYTES = 64;
  private static final int GROUP_BYTES = 22;

  /** Number, stream, length of each of two paths with at least two bytes, mode, owner, arrival. */
  private static final int MIN_STREAM_BYTES = 1 + StreamId.LENGTH_CHARACTERS + 3 + 1 + 1 + 1 + 1;

  /** Says of an arrival that it is not told. */
  private static final long UNTOLD = 0;

  /** Number, start, length, mtime, revision, age, checksum. */
  private static final int MIN_RANGE_BYTES = 1 + 1 + 1 + 1 + 1 + 1 + Integer.BYTES;

  /** About what a directory takes beside its streams and ranges, and each of these. */
  private static final int EXPECTED_BYTES = 256;

  private static final int EXPECTED_STREAM_BYTES = 56;
  private static final int EXPECTED_RANGE_BYTES = 20;

  private DirectoryContent() {}

  private static int expectedBytes(PackDirectory directory) {
    int bytes = EXPECTED_BYTES + directory.ranges().size() * EXPECTED_RANGE_BYTES;
    for (PackedStream stream : directory.streams()) {
      bytes += EXPECTED_STREAM_BYTES + stream.birthPath().lengthBytes();
    }
    return bytes;
  }

  static byte[] encode(PackDirectory directory) {
    VarintWriter out = new VarintWriter(expectedBytes(directory));
    out.ascii(directory.id().agent());
    out.ascii(directory.id().group().text());
    out.unsigned(directory.id().first());
    out.unsigned((long) directory.id().last() - directory.id().first());
    out.signed(directory.sealedAtMillis());
    writeUnits(directory.units(), out);
    OwnerTable owners = new OwnerTable();
    directory.streams().forEach(stream -> owners.add(stream.owner()));
    TreeFormat.addOwners(directory.tree(), owners);
    owners.write(out);
    writeStreams(directory.streams(), owners, out);
    writeRanges(directory.ranges(), directory.sealedAtMillis(), out);
    FactFormat.write(directory.facts(), out);
    new TreeFormat(owners, directory.sealedAtMillis()).write(directory.tree(), out);
    return out.toByteArray();
  }

  private static void writeUnits(List<PackUnit> units, VarintWriter out) {
    out.unsigned(units.size());
    units.forEach(unit -> out.unsigned(unit.rawBytes()));
    units.forEach(unit -> out.unsigned(unit.encodedBytes()));
  }

  private static void writeStreams(
      List<PackedStream> streams, OwnerTable owners, VarintWriter out) {
    out.unsigned(streams.size());
    int before = -1;
    for (PackedStream stream : streams) {
      out.unsigned(stream.number() - before - 1L);
      before = stream.number();
    }
    streams.forEach(stream -> out.ascii(stream.stream().text()));
    for (PackedStream stream : streams) {
      out.text(stream.birthPath());
      boolean moved = !stream.path().equals(stream.birthPath());
      out.text(moved ? stream.path() : PosixPath.EMPTY);
    }
    streams.forEach(stream -> out.unsigned(stream.permissions()));
    streams.forEach(stream -> owners.writeNumber(stream.owner(), out));
    long arrivalBefore = 0;
    for (PackedStream stream : streams) {
      long arrival = stream.arrivalNanos().orElse(UNTOLD);
      out.signed(arrival - arrivalBefore);
      arrivalBefore = arrival;
    }
  }

  private static void writeRanges(List<PackedRange> ranges, long sealedAtMillis, VarintWriter out) {
    out.unsigned(ranges.size());
    int before = 0;
    for (PackedRange range : ranges) {
      out.signed((long) range.number() - before);
      before = range.number();
    }
    ranges.forEach(range -> out.unsigned(range.range().startBytes()));
    ranges.forEach(range -> out.unsigned(range.range().lengthBytes()));
    long sealedAtNanos = TimeUnit.MILLISECONDS.toNanos(sealedAtMillis);
    ranges.forEach(range -> out.signed(sealedAtNanos - range.modificationTimeNanos()));
    ranges.forEach(range -> out.unsigned(range.revision()));
    ranges.forEach(range -> out.unsigned(range.olderMillis()));
    ranges.forEach(range -> out.fixed(range.rawCrc32c()));
  }

  static PackDirectory decode(byte[] content) throws MalformedException {
    VarintReader in = new VarintReader(content);
    try {
      String agent = new String(in.text(MAX_AGENT_BYTES, "the agent's name"), US_ASCII);
      PackGroup group =
          new PackGroup(new String(in.text(GROUP_BYTES, "the group's name"), US_ASCII));
      int first = (int) in.atMost(PackId.MAX_SEQUENCE, "the number of the pack");
      int more = (int) in.atMost(PackId.MAX_SEQUENCE, "the number of packs merged");
      PackId id = new PackId(agent, group, first, first + more);
      long sealedAtMillis = in.signed();
      List<PackUnit> units = readUnits(in);
      OwnerTable owners = OwnerTable.read(in);
      List<PackedStream> streams = readStreams(in, owners);
      List<PackedRange> ranges = readRanges(in, sealedAtMillis);
      List<StreamFact> facts = FactFormat.read(in);
      PackedTree tree = new TreeFormat(owners, sealedAtMillis).read(in);
      if (in.remaining() > 0) {
        throw new MalformedException("has " + in.remaining() + " bytes behind its end");
      }
      return new PackDirectory(id, sealedAtMillis, units, streams, ranges, facts, tree);
    } catch (IllegalArgumentException | ArithmeticException says) {
      throw new MalformedException(String.valueOf(says.getMessage()));
    }
  }

  private static List<PackUnit> readUnits(VarintReader in) throws MalformedException {
    long[] rawBytes = new long[in.count(2, PackDirectory.MAX_UNITS, "units")];
    for (int i = 0; i < rawBytes.length; i++) {
      rawBytes[i] = in.atMost(Long.MAX_VALUE, "the length of a unit");
    }
    List<PackUnit> units = new ArrayList<>(rawBytes.length);
    for (long raw : rawBytes) {
      units.add(new PackUnit(raw, in.atMost(Long.MAX_VALUE, "the length of a unit")));
    }
    return units;
  }

  private static List<PackedStream> readStreams(VarintReader in, OwnerTable owners)
      throws MalformedException {
    int[] numbers = new int[in.count(MIN_STREAM_BYTES, PackDirectory.MAX_ENTRIES, "streams")];
    long before = -1;
    for (int i = 0; i < numbers.length; i++) {
      before += 1 + in.atMost(Integer.MAX_VALUE - before - 1, "the number of a stream");
      numbers[i] = (int) before;
    }
    StreamId[] ids = new StreamId[numbers.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = new StreamId(in.ascii(StreamId.LENGTH_CHARACTERS, "the length of an id"));
    }
    PosixPath[] births = new PosixPath[numbers.length];
    PosixPath[] paths = new PosixPath[numbers.length];
    for (int i = 0; i < paths.length; i++) {
      births[i] = path(in);
      PosixPath path = path(in);
      paths[i] = path.isEmpty() ? births[i] : path;
    }
    int[] modes = new int[numbers.length];
    for (int i = 0; i < modes.length; i++) {
      modes[i] = (int) in.atMost(07777, "a mode");
    }
    List<Optional<FileOwner>> owned = new ArrayList<>(numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      owned.add(owners.readNumber(in));
    }
    List<PackedStream> streams = new ArrayList<>(numbers.length);
    long arrival = 0;
    for (int i = 0; i < numbers.length; i++) {
      arrival += in.signed();
      streams.add(
          new PackedStream(
              numbers[i],
              ids[i],
              births[i],
              paths[i],
              modes[i],
              owned.get(i),
              arrival == UNTOLD ? OptionalLong.empty() : OptionalLong.of(arrival)));
    }
    return streams;
  }

  static PosixPath path(VarintReader in) throws MalformedException {
    return in.path(PathNames.MAX_FILE_BYTES, "the length of a path");
  }

  private static List<PackedRange> readRanges(VarintReader in, long sealedAtMillis)
      throws MalformedException {
    int count = in.count(MIN_RANGE_BYTES, PackDirectory.MAX_ENTRIES, "ranges");
    int[] numbers = new int[count];
    long before = 0;
    for (int i = 0; i < count; i++) {
      before += in.signed();
      if (before < 0 || before > Integer.MAX_VALUE) {
        throw new MalformedException("has a range of a stream with the number " + before);
      }
      numbers[i] = (int) before;
    }
    long[] starts = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = in.atMost(Long.MAX_VALUE, "the start of a range");
    }
    ByteRange[] ranges = new ByteRange[count];
    for (int i = 0; i < count; i++) {
      long length = in.atMost(Long.MAX_VALUE - starts[i], "the length of a range");
      ranges[i] = new ByteRange(starts[i], starts[i] + length);
    }
    long sealedAtNanos = TimeUnit.MILLISECONDS.toNanos(sealedAtMillis);
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = sealedAtNanos - in.signed();
    }
    long[] revisions = new long[count];
    for (int i = 0; i < count; i++) {
      revisions[i] = in.atMost(Long.MAX_VALUE, "a revision");
    }
    long[] olderMillis = new long[count];
    for (int i = 0; i < count; i++) {
      olderMillis[i] = in.atMost(Long.MAX_VALUE, "the age of a range");
    }
    List<PackedRange> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      read.add(
          new PackedRange(
              numbers[i], ranges[i], in.fixed(), times[i], revisions[i], olderMillis[i]));
    }
    return read;
  }
}
