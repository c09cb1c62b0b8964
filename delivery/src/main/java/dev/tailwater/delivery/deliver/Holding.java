package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.pack.HeldRun;
import dev.tailwater.delivery.pack.HeldStream;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a destination holds of one stream. Not thread-safe. */
public final class Holding {
  private final String streamPrefix;
  private final PosixPath birthPath;
  private final RangeSet ranges = new RangeSet();

  /** The keys of segments that lie in another one, by that. */
  private Map<ArchiveObject.Segment, List<String>> superseded = Map.of();

  /** The ranges that are said to be lost, outside of packs. */
  private Optional<RangeSet> lost = Optional.empty();

  private Optional<ArchiveObject.Segment> furthest = Optional.empty();
  private Optional<HeldStream> packed = Optional.empty();
  private boolean empty = true;
  private boolean described;
  private boolean doubted;

  /**
   * The delivered range of a stream that reaches furthest.
   *
   * @param segment the object that holds it; empty where a pack holds it
   * @param packedCrc32c the CRC-32C of its bytes where a pack holds it, else 0
   * @param modificationTimeNanos the file's mtime when the last of them were read, if a pack holds
   *     them
   */
  public record Furthest(
      ByteRange range,
      Optional<ArchiveObject.Segment> segment,
      int packedCrc32c,
      OptionalLong modificationTimeNanos) {
    /** Returns a range that a pack holds. */
    public static Furthest packed(HeldRun run) {
      return new Furthest(
          run.range(),
          Optional.empty(),
          run.rawCrc32c(),
          OptionalLong.of(run.modificationTimeNanos()));
    }
  }

  Holding(String streamPrefix, PosixPath birthPath) {
    this.streamPrefix = streamPrefix;
    this.birthPath = birthPath;
  }

  void add(ArchiveObject object) {
    empty = false;
    if (object instanceof ArchiveObject.Segment segment) {
      ranges.add(segment.range());
      noteSuperseded(segment);
      if (furthest.isEmpty() || furthest.get().range().endBytes() < segment.range().endBytes()) {
        furthest = Optional.of(segment);
      }
    } else if (object instanceof ArchiveObject.Gap gap) {
      if (lost.isEmpty()) {
        lost = Optional.of(new RangeSet()); // Few streams need one.
      }
      lost.get().add(gap.range());
    } else if (object instanceof ArchiveObject.Stream) {
      described = true;
    }
  }

  void add(HeldStream held) {
    empty = false;
    packed = Optional.of(held);
    held.ranges().ranges().forEach(ranges::add);
  }

  void doubt() {
    doubted = true;
  }

  /**
   * Returns whether there are segments which are not held, since no trusted key has signed them.
   */
  public boolean isDoubted() {
    return doubted;
  }

  /**
   * Notes whether the segment supersedes another or is superseded. Segments are listed by start,
   * and those with the same start by end, so it suffices to compare with the one before it that
   * reaches furthest.
   */
  private void noteSuperseded(ArchiveObject.Segment segment) {
    if (furthest.isEmpty() || segment.range().equals(furthest.get().range())) {
      return;
    }
    ByteRange before = furthest.get().range();
    if (before.contains(segment.range())) {
      noteSuperseded(segment, furthest.get());
    } else if (segment.range().contains(before)) {
      noteSuperseded(furthest.get(), segment);
    }
  }

  private void noteSuperseded(ArchiveObject.Segment shorter, ArchiveObject.Segment longer) {
    if (superseded.isEmpty()) {
      superseded = new HashMap<>(); // Few streams need one.
    }
    superseded.computeIfAbsent(longer, _ -> new ArrayList<>()).add(shorter.key());
  }

  /** The keys of segments that lie in another one, by that. */
  Map<ArchiveObject.Segment, List<String>> superseded() {
    return superseded;
  }

  public String streamPrefix() {
    return streamPrefix;
  }

  /** Returns whether the destination holds nothing of the stream. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns where the stream was first seen, as far as object names tell. */
  public PosixPath birthPath() {
    return birthPath;
  }

  public List<ByteRange> ranges() {
    return ranges.ranges();
  }

  /**
   * Returns whether readers are told that bytes of it are lost, and that it ended by that. Why it
   * ended is not in the name of a gap: of a file that was moved away this may not be the end.
   */
  boolean endedWithLoss() {
    return lost.stream()
            .flatMap(all -> all.ranges().stream())
            .anyMatch(range -> !ranges.missing(range).isEmpty())
        || packed.filter(HeldStream::endedWithLoss).isPresent();
  }

  /**
   * Returns the range that reaches furthest. The checksum of one in which bytes were replaced says
   * nothing about the file any more; if there is no other, that of the bytes that came last does.
   */
  public Optional<Furthest> furthest() {
    Optional<Furthest> segment =
        furthest
            .filter(found -> packed.filter(held -> held.replaces(found.range())).isEmpty())
            .map(found -> new Furthest(found.range(), Optional.of(found), 0, OptionalLong.empty()));
    Optional<Furthest> range =
        packed.flatMap(held -> held.furthest().or(held::replacedLast)).map(Furthest::packed);
    return Stream.of(segment, range)
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(found -> found.range().endBytes()));
  }

  /** Returns the ranges of packs of which no byte was replaced later. */
  public List<HeldRun> packed() {
    return packed.map(HeldStream::latestRuns).orElse(List.of());
  }

  /** Returns the file's mtime when the last bytes in packs were read. */
  public OptionalLong packedReadWithNanos() {
    return packed.map(HeldStream::readWithNanos).orElse(OptionalLong.empty());
  }

  /** Returns the segment that reaches furthest. */
  public Optional<ArchiveObject.Segment> furthestSegment() {
    return furthest;
  }

  /** Returns whether bytes of a range were replaced. */
  public boolean replacesIn(ByteRange range) {
    return packed.filter(held -> held.replaces(range)).isPresent();
  }

  /** Tells a stream that is found again what the destination holds of it. */
  public void tell(StreamProgress found) {
    ranges.ranges().forEach(found::holds);
    packed.ifPresent(held -> held.tell(found));
    if (described) {
      found.holdsRecord();
    }
  }
}
