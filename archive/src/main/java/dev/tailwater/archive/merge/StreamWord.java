package dev.tailwater.archive.merge;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What several packs say of one stream, told in their order, such that a reader who hears it at
 * once comes to the same result: the last word of each kind.
 */
final class StreamWord {
  private final int number;
  private Optional<PackedStream> description = Optional.empty();
  private Optional<StreamFact.Renamed> renamed = Optional.empty();
  private OptionalInt permissions = OptionalInt.empty();

  /** The mtime that was noted last, and when that was. */
  private long modificationTimeNanos;

  private long notedAtMillis = Long.MIN_VALUE;
  private long rangesEndBytes;
  private Optional<Long> statedSizeBytes = Optional.empty();

  /** Whether it was stated apart from ranges. */
  private boolean isStated;

  /** Of few streams is there anything. */
  private Set<StreamFact.Missing> missing = Set.of();

  private final List<StreamFact.Dropped> dropped = new ArrayList<>();
  private Optional<StreamFact> changed = Optional.empty();
  private Optional<StreamFact> end = Optional.empty();

  StreamWord(int number) {
    this.number = number;
  }

  void describe(PackedStream stream, long sealedAtMillis) {
    boolean moved =
        description.isEmpty()
            ? renamed.filter(before -> !before.path().equals(stream.path())).isPresent()
            : !path(description.get()).equals(stream.path());
    // One that does not tell the owner leaves what was told.
    Optional<FileOwner> owner = stream.owner().or(() -> description.flatMap(PackedStream::owner));
    description = Optional.of(stream.withOwner(owner));
    permissions = OptionalInt.of(stream.permissions());
    if (moved) {
      renamed = Optional.of(new StreamFact.Renamed(number, stream.path(), sealedAtMillis));
    }
  }

  private PosixPath path(PackedStream described) {
    return renamed.map(StreamFact.Renamed::path).orElse(described.path());
  }

  void add(PackedRange range, long sealedAtMillis) {
    if (range.revision() == 0) { // A higher one makes no stream longer.
      rangesEndBytes = Math.max(rangesEndBytes, range.range().endBytes());
    }
    note(range.modificationTimeNanos(), sealedAtMillis, false);
  }

  private void note(long timeNanos, long atMillis, boolean stated) {
    if (atMillis >= notedAtMillis) {
      modificationTimeNanos = timeNanos;
      notedAtMillis = atMillis;
      isStated = stated;
    }
  }

  /**
   * Takes in a fact.
   *
   * @param counts whether attributes of the pack count, which they do not beside ranges
   */
  void add(StreamFact fact, boolean counts) {
    switch (fact) {
      case StreamFact.Renamed to -> renamed = Optional.of(to);
      case StreamFact.Attributes attributes when counts -> {
        permissions = OptionalInt.of(attributes.permissions());
        statedSizeBytes = Optional.of(Math.max(statedSizeBytes.orElse(0L), attributes.sizeBytes()));
        note(attributes.modificationTimeNanos(), attributes.seenAtMillis(), true);
      }
      case StreamFact.Attributes _ -> {}
      case StreamFact.Missing gap -> addMissing(gap);
      case StreamFact.Dropped bytes -> dropped.add(bytes);
      case StreamFact.ChangedInPlace change -> changed = Optional.of(change);
      case StreamFact.Ended ended -> end = Optional.of(ended);
      case StreamFact.Continued goesOn -> end = Optional.of(goesOn);
    }
  }

  private void addMissing(StreamFact.Missing gap) {
    if (missing.isEmpty()) {
      missing = new LinkedHashSet<>();
    }
    missing.add(gap);
  }

  Optional<PackedStream> description() {
    return description;
  }

  /** Returns whether another one says the same. */
  boolean says(@Nullable StreamWord other) {
    return other != null && description.equals(other.description) && facts().equals(other.facts());
  }

  List<StreamFact> facts() {
    List<StreamFact> facts = new ArrayList<>();
    renamed.ifPresent(facts::add);
    attributes().ifPresent(facts::add);
    facts.addAll(missing);
    facts.addAll(DroppedBytes.compact(dropped));
    changed.ifPresent(facts::add);
    end.ifPresent(facts::add);
    return facts;
  }

  /** The attributes, if neither ranges nor the description tell them. */
  private Optional<StreamFact> attributes() {
    if (statedSizeBytes.isEmpty()) {
      return Optional.empty();
    }
    boolean isDescribed =
        description.isPresent() && description.get().permissions() == permissions.orElseThrow();
    if (!isStated && isDescribed && statedSizeBytes.get() <= rangesEndBytes) {
      return Optional.empty();
    }
    return Optional.of(
        new StreamFact.Attributes(
            number,
            permissions.orElseThrow(),
            statedSizeBytes.get(),
            modificationTimeNanos,
            notedAtMillis));
  }
}
