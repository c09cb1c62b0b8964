package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.checkpoint.NameHash;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of one group: of its packs, and of the streams that they describe. What a pack in
 * progress describes counts when it is kept. Not thread-safe: one pack is filled at a time.
 */
final class PackNumbers {
  /** A start after a crash reads the directories of what these are merged into, and a few more. */
  static final int MOST_PACKS = 4096;

  /**
   * Five megabytes of memory: with those of one more pack of short files, the table is as full as
   * it gets before it is made twice as long.
   */
  static final int MOST_STREAMS = 90_000;

  private final PackGroup group;
  private final int highestEpoch;
  private final DescribedStreams described;

  /** What the pack in progress describes. */
  private final Map<StreamId, PackedStream> draft = new HashMap<>();

  private int nextNumber;
  private int nextSequence;

  /**
   * Creates the numbers of a group.
   *
   * @param hash with a secret of the run
   */
  PackNumbers(PackGroup group, NameHash hash) {
    this.group = group;
    this.highestEpoch = EpochBound.of(group);
    this.described = new DescribedStreams(hash);
  }

  PackGroup group() {
    return group;
  }

  /** Returns the number of the pack in progress. */
  int sequence() {
    return nextSequence;
  }

  /** Returns whether another group should follow. */
  boolean isFull() {
    return nextSequence >= MOST_PACKS || described.size() >= MOST_STREAMS;
  }

  /** Returns the highest epoch that its packs may name. */
  int highestEpoch() {
    return highestEpoch;
  }

  /** Returns a stream's number; it is free until {@link #describe} gives it away. */
  int number(StreamProgress stream) {
    return numberOf(known(stream.id()));
  }

  private int numberOf(Optional<DescribedStreams.Known> known) {
    return known.isPresent() ? known.get().number() : nextNumber;
  }

  private Optional<DescribedStreams.Known> known(StreamId stream) {
    PackedStream drafted = draft.get(stream);
    return drafted == null ? described.find(stream) : Optional.of(new Drafted(drafted));
  }

  /** A stream that the pack in progress describes. */
  private record Drafted(PackedStream stream) implements DescribedStreams.Known {
    @Override
    public int number() {
      return stream.number();
    }

    @Override
    public boolean says(StreamProgress.Attributes now) {
      return stream.permissions() == now.permissions()
          && stream.path().equals(now.path())
          && stream.arrivalNanos().equals(now.place().arrivalNanos())
          && (now.owner().isEmpty() || stream.owner().equals(now.owner()));
    }
  }

  /**
   * Returns how the pack in progress must describe a stream before it mentions it; empty where an
   * earlier description holds.
   */
  Optional<PackedStream> missingDescription(StreamProgress stream) {
    StreamProgress.Attributes now = stream.attributes();
    Optional<DescribedStreams.Known> known = known(stream.id());
    if (known.isPresent() && known.get().says(now)) {
      return Optional.empty();
    }
    return Optional.of(
        new PackedStream(
            numberOf(known),
            stream.id(),
            stream.birthPath(),
            now.path(),
            now.permissions(),
            now.owner(),
            now.place().arrivalNanos()));
  }

  /** Notes that the pack in progress describes a stream. */
  void describe(PackedStream stream) {
    draft.put(stream.stream(), stream);
    nextNumber = Math.max(nextNumber, stream.number() + 1);
  }

  /** Keeps the pack in progress: it will be delivered, or the group ends before it. */
  void keep() {
    draft.values().forEach(described::put);
    draft.clear();
    nextSequence++;
  }

  /** Forgets the pack in progress. */
  void forget() {
    draft.clear();
  }
}
