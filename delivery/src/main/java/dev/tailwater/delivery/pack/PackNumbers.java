package dev.tailwater.delivery.pack;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.checkpoint.Place;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one group: of its packs, and of the streams that they describe. What a pack in
 * progress describes counts when it is kept. Not thread-safe: one pack is filled at a time.
 */
final class PackNumbers {
  /** A start after a crash reads the directories of what these are merged into, and a few more. */
  static final int MOST_PACKS = 4096;

  /** Some ten megabytes of memory. */
  static final int MOST_STREAMS = 100_000;

  private record Described(int number, Place place, int permissions, Optional<FileOwner> owner) {
    boolean says(StreamProgress.Attributes now) {
      return permissions == now.permissions()
          && place.equals(now.place())
          && (now.owner().isEmpty() || owner.equals(now.owner()));
    }
  }

  private final PackGroup group;
  private final Map<StreamId, Described> described = new HashMap<>();
  private final Map<StreamId, Described> draft = new HashMap<>();
  private int nextNumber;
  private int nextSequence;

  PackNumbers(PackGroup group) {
    this.group = group;
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

  /** Returns a stream's number; it is free until {@link #describe} gives it away. */
  int number(StreamProgress stream) {
    Described known = find(stream.id());
    return known == null ? nextNumber : known.number;
  }

  private @Nullable Described find(StreamId stream) {
    Described drafted = draft.get(stream);
    return drafted == null ? described.get(stream) : drafted;
  }

  /**
   * Returns how the pack in progress must describe a stream before it mentions it; empty where an
   * earlier description holds.
   */
  Optional<PackedStream> missingDescription(StreamProgress stream) {
    StreamProgress.Attributes now = stream.attributes();
    Described known = find(stream.id());
    if (known != null && known.says(now)) {
      return Optional.empty();
    }
    return Optional.of(
        new PackedStream(
            number(stream),
            stream.id(),
            stream.birthPath(),
            now.path(),
            now.permissions(),
            now.owner(),
            now.place().arrivalNanos()));
  }

  /** Notes that the pack in progress describes a stream. */
  void describe(PackedStream stream) {
    draft.put(
        stream.stream(),
        new Described(
            stream.number(),
            new Place(stream.path(), stream.arrivalNanos()),
            stream.permissions(),
            stream.owner()));
    nextNumber = Math.max(nextNumber, stream.number() + 1);
  }

  /** Keeps the pack in progress: it will be delivered, or the group ends before it. */
  void keep() {
    described.putAll(draft);
    draft.clear();
    nextSequence++;
  }

  /** Forgets the pack in progress. */
  void forget() {
    draft.clear();
  }
}
