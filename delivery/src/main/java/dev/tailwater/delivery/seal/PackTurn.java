package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.PlainPack;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.pack.StreamFacts;
import dev.tailwater.delivery.staging.StagingBuffer;
import dev.tailwater.delivery.stream.Description;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.Marker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One pack in progress: ranges of tails that are claimed and pinned until the pack is handed over,
 * and facts. Belongs to one worker. A turn that is not handed over leaves no trace.
 */
final class PackTurn {
  private static final int MOST_FACTS_AT_ONCE = 256;

  private final PackSealer sealer;
  private final PackGroups.Numbering numbering;
  private final FactQueue facts;
  private final StagingBuffer buffer;
  private final long dueNanos;
  private final List<Taken> taken = new ArrayList<>();
  private final List<PackedDelivery.Revised> revised = new ArrayList<>();
  private final List<PackedDelivery.Said> said = new ArrayList<>();

  /** The modification times that the pack tells with replaced bytes, in their order. */
  private final List<ToldTime> revisedTimes = new ArrayList<>();

  private final Set<StreamProgress> withRange = new HashSet<>();
  private long rawBytes;
  private Optional<PlainPack> plain = Optional.empty();
  private long sealedAtMillis;

  /** Whether each range has its description, and a tail that moves over it. */
  private boolean consistent = true;

  /** A range in the pack, and the tail that moves over it when the pack is handed over. */
  private record Taken(
      Cut cut, long endBytes, Marker markerAtEnd, BlockRun read, boolean isOverwritten) {
    StreamProgress stream() {
      return cut.from().stream();
    }

    PackedDelivery.Part part() {
      return new PackedDelivery.Part(
          stream(), new ByteRange(cut.from().bytes(), endBytes), markerAtEnd, cut.sinceNanos());
    }
  }

  private record ToldTime(StreamProgress stream, long modificationTimeNanos) {}

  /**
   * Begins a pack.
   *
   * @param buffer part of it is kept for the directory
   * @param dueNanos when it was due
   */
  PackTurn(
      PackSealer sealer,
      PackGroups.Numbering numbering,
      FactQueue facts,
      StagingBuffer buffer,
      long dueNanos) {
    this.sealer = sealer;
    this.numbering = numbering;
    this.facts = facts;
    this.buffer = buffer;
    this.dueNanos = dueNanos;
    sealer.begin(buffer, numbering.id(), buffer.mostBytes() / 4);
  }

  StagingBuffer buffer() {
    return buffer;
  }

  boolean isEmpty() {
    return sealer.isEmpty();
  }

  long rawBytes() {
    return rawBytes;
  }

  /** Returns whether a range of the stream can be added to this pack. */
  boolean accepts(StreamProgress stream) {
    return !withRange.contains(stream)
        && numbering.mayName(stream)
        && numbering.missingDescription(stream).map(sealer::hasRoomFor).orElse(true);
  }

  /** Returns whether so many bytes that replace others can be added to this pack. */
  boolean acceptsRevision(StreamProgress stream, long lengthBytes) {
    return numbering.mayName(stream)
        && hasRoomFor(numbering.missingDescription(stream), lengthBytes);
  }

  private boolean hasRoomFor(Optional<PackedStream> description, long lengthBytes) {
    return description
        .map(stream -> sealer.hasRoomFor(stream, lengthBytes))
        .orElseGet(() -> sealer.hasRoomFor(lengthBytes));
  }

  /**
   * Adds bytes that replace others.
   *
   * @param bytes of the range, from the beginning of the array
   * @param read their checksums
   * @return false when there is no room after all: the file was renamed since that was asked
   */
  boolean revise(
      StreamProgress stream,
      ByteRange range,
      long revision,
      byte[] bytes,
      BlockRun read,
      long modificationTimeNanos) {
    Optional<PackedStream> description = numbering.missingDescription(stream);
    int length = (int) range.lengthBytes();
    if (!hasRoomFor(description, length)) {
      return false;
    }
    consistent = false;
    description.ifPresent(known -> describe(stream, known));
    sealer.beginRange(numbering.number(stream), range.startBytes(), length, revision);
    sealer.append(bytes, 0, length);
    sealer.endRange(modificationTimeNanos);
    rawBytes += length;
    revisedTimes.add(new ToldTime(stream, modificationTimeNanos));
    revised.add(
        new PackedDelivery.Revised(
            stream, range, read, stream.blocks().rewrittenSinceNanos().orElse(dueNanos)));
    consistent = true;
    return true;
  }

  /** Begins a range; {@link #end} or {@link #drop} follows. */
  void begin(Cut cut) {
    int number = numbering.number(cut.from().stream());
    sealer.beginRange(number, cut.from().bytes(), cut.lengthBytes());
  }

  /**
   * Ends a range that holds something.
   *
   * @param read the checksums of its bytes
   * @param isOverwritten whether the file was overwritten before all of it was read
   * @return false when there is no room to describe its stream, and it is to be dropped
   */
  boolean end(Cut cut, long endBytes, Marker markerAtEnd, BlockRun read, boolean isOverwritten) {
    StreamProgress stream = cut.from().stream();
    Optional<PackedStream> description = numbering.missingDescription(stream);
    if (description.isPresent() && !sealer.hasRoomFor(description.get())) {
      return false;
    }
    consistent = false;
    description.ifPresent(known -> describe(stream, known));
    PackedRange range = sealer.endRange(cut.status().modificationTimeNanos());
    rawBytes += range.range().lengthBytes();
    withRange.add(stream);
    taken.add(new Taken(cut, endBytes, markerAtEnd, read, isOverwritten));
    consistent = true;
    return true;
  }

  private void describe(StreamProgress stream, PackedStream description) {
    sealer.describe(description);
    numbering.describe(description);
    stream.states(description.permissions(), description.owner());
  }

  /** Takes the open range out again. */
  void drop() {
    sealer.dropRange();
  }

  /**
   * Says what waits to be said.
   *
   * @return false when there is no room for all of it: nothing that came later goes into this pack
   */
  boolean sayFacts() {
    for (List<StreamProgress> streams = facts.take(MOST_FACTS_AT_ONCE);
        !streams.isEmpty();
        streams = facts.take(MOST_FACTS_AT_ONCE)) {
      int count = 0;
      boolean all = false;
      try {
        while (count < streams.size() && say(streams.get(count))) {
          count++;
        }
        all = count == streams.size();
      } finally {
        if (!all) {
          facts.putBack(streams.subList(count, streams.size()));
        }
      }
      if (!all) {
        return false;
      }
    }
    return true;
  }

  /** Says what the archive does not know of a stream; false when there is no room. */
  private boolean say(StreamProgress stream) {
    Optional<Description> news = stream.undescribed();
    if (news.isEmpty()) {
      facts.nothingToSay(stream);
      return true;
    }
    if (!numbering.mayName(stream)) {
      return false;
    }
    boolean first = sealer.isEmpty();
    Optional<PackedStream> description = numbering.missingDescription(stream);
    List<StreamFact> list =
        StreamFacts.of(news.get(), numbering.number(stream), withRange.contains(stream));
    boolean fits =
        description.map(sealer::hasRoomFor).orElse(true)
            && list.stream().allMatch(sealer::hasRoomFor);
    if (!fits && first) {
      throw new IllegalStateException("no pack has room for what is to be said of " + stream.id());
    }
    if (!fits) {
      return false;
    }
    description.ifPresent(known -> describe(stream, known));
    for (StreamFact fact : list) {
      if (!sealer.hasRoomFor(fact)) {
        return false; // What was said by now is true; all of it is said again in the next pack.
      }
      sealer.say(fact);
    }
    said.add(new PackedDelivery.Said(stream, news.get()));
    return true;
  }

  /**
   * Seals the pack.
   *
   * @param keptBytes if it is shorter, it is kept, to be merged
   */
  SealedPack seal(long nowMillis, int keptBytes) {
    if (!consistent) {
      throw new IllegalStateException("a range was added in part");
    }
    sealedAtMillis = tellableMillis(nowMillis);
    SealedPack sealed =
        sealer.encodedBytes() < keptBytes
            ? sealer.finish(sealedAtMillis, kept -> plain = Optional.of(kept))
            : sealer.finish(sealedAtMillis);
    numbering.keep();
    taken.forEach(range -> range.stream().toldAt(sealedAtMillis));
    revised.forEach(range -> range.stream().toldAt(sealedAtMillis));
    saidStreams().forEach(stream -> stream.toldAt(sealedAtMillis));
    return sealed;
  }

  /** Returns that time, or a later one, at which the archive may be told of all streams. */
  private long tellableMillis(long nowMillis) {
    long millis = nowMillis;
    for (Taken range : taken) {
      millis = range.stream().tellableMillis(millis);
    }
    for (PackedDelivery.Revised range : revised) {
      millis = range.stream().tellableMillis(millis);
    }
    for (StreamProgress stream : saidStreams()) {
      millis = stream.tellableMillis(millis);
    }
    return millis;
  }

  /**
   * Returns what is to be delivered.
   *
   * @param release gives the buffer back
   */
  PackedDelivery delivery(SealedPack sealed, long restedNanos, Runnable release) {
    return new PackedDelivery(
        sealed,
        plain,
        PackFront.ifShort(sealed.name(), sealed.content()),
        taken.stream().map(Taken::part).toList(),
        revised,
        said,
        dueNanos + restedNanos,
        release);
  }

  /** Moves the tails over what the sealed pack holds. */
  void moveOver(SealedPack sealed) {
    for (Taken range : taken) {
      Cut cut = range.cut();
      range.stream().statesTime(cut.status().modificationTimeNanos(), sealedAtMillis);
      cut.tail().scheduling().compressed(rawBytes, sealed.lengthBytes());
      cut.tail()
          .advance(
              range.endBytes(),
              range.markerAtEnd(),
              range.read(),
              range.endBytes() < cut.status().sizeBytes(),
              cut.sizeSeenAtNanos());
      if (range.isOverwritten()) {
        cut.tail().overwrittenWhileRead(range.endBytes());
      }
    }
    revisedTimes.forEach(
        told -> told.stream().statesTime(told.modificationTimeNanos(), sealedAtMillis));
    revised.forEach(range -> range.stream().blocks().handedOver(range.read(), range.sinceNanos()));
  }

  /** Notes that the pack is handed over. */
  void handedOver() {
    facts.handedOver(saidStreams());
  }

  private List<StreamProgress> saidStreams() {
    return said.stream().map(PackedDelivery.Said::stream).toList();
  }

  /** Gives up what was gathered: the next pack takes it. */
  void abandon() {
    sealer.abandon();
    putBackFacts();
  }

  /**
   * Lets another pack take what was gathered, and have a number, while the thread that fills this
   * one hangs. Called by another thread, and followed by {@link #abandon} when the call returns.
   */
  void giveUp() {
    putBackFacts();
    numbering.giveUp();
  }

  private void putBackFacts() {
    facts.putBack(saidStreams());
    said.clear();
  }
}
