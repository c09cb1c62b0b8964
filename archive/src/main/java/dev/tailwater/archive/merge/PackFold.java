package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The directories of neighbouring packs of a group as that of one pack. Immutable. */
final class PackFold {
  private static final Comparator<Place> BY_STREAM =
      Comparator.comparingInt((Place place) -> place.range().number())
          .thenComparingLong(place -> place.range().revision())
          .thenComparingLong(place -> place.range().range().startBytes())
          .thenComparingLong(place -> place.range().range().endBytes());

  private final PackId id;
  private final long sealedAtMillis;
  private final Map<Integer, StreamWord> words;
  private final List<Place> places;
  private final List<SharedBytes> shared;
  private final long keptBytes;

  /**
   * Where a pack holds a range.
   *
   * @param pack which of the packs
   * @param index which of its ranges
   * @param sealedAtMillis when it was sealed
   * @param kept the parts of it that are written
   */
  record Place(int pack, int index, PackedRange range, long sealedAtMillis, List<ByteRange> kept) {
    Place {
      kept = List.copyOf(kept);
    }

    Place(int pack, int index, PackedRange range, long sealedAtMillis) {
      this(pack, index, range, sealedAtMillis, List.of(range.range()));
    }

    Place keeping(List<ByteRange> parts) {
      return new Place(pack, index, range, sealedAtMillis, parts);
    }

    boolean isWhole() {
      return kept.size() == 1 && kept.getFirst().equals(range.range());
    }

    /** The same range, with what a later delivery of the same bytes says of the file. */
    Place toldAgainBy(Place other) {
      return other.sealedAtMillis < sealedAtMillis
          ? this
          : new Place(
              pack,
              index,
              range.withModificationTime(other.range.modificationTimeNanos()),
              sealedAtMillis,
              kept);
    }

    /**
     * Whether a range can be written as the continuation of this one. One that replaces bytes keeps
     * its own time, since what it replaced may be left out, and only until that time.
     */
    boolean isContinuedBy(Place next) {
      return range.number() == next.range.number()
          && range.revision() == next.range.revision()
          && (range.revision() == 0 || sealedAtMillis == next.sealedAtMillis)
          && isWhole()
          && next.isWhole()
          && range.range().endBytes() == next.range.range().startBytes();
    }
  }

  /** Bytes that two ranges have, of which one is written without them. */
  record SharedBytes(Place one, Place other, ByteRange range) {
    static SharedBytes of(Place before, Place next) {
      ByteRange first = before.range().range();
      ByteRange second = next.range().range();
      return new SharedBytes(
          before,
          next,
          new ByteRange(second.startBytes(), Math.min(first.endBytes(), second.endBytes())));
    }
  }

  /**
   * Ranges of which no two overlap.
   *
   * @param shared the bytes that two had, and that one has now
   */
  private record Apart(List<Place> places, List<SharedBytes> shared) {
    /**
     * Cuts ranges where they overlap.
     *
     * @param all those of one stream and revision next to each other, in the order of their bytes
     * @return empty when ranges that replace others overlap without being the same
     */
    static Optional<Apart> of(List<Place> all) {
      Apart apart = new Apart(new ArrayList<>(), new ArrayList<>());
      for (Place place : all) {
        if (apart.isFree(place)) {
          apart.places.add(place);
          continue;
        }
        Place before = apart.places.getLast();
        if (isSame(before.range(), place.range())) {
          apart.places.removeLast(); // Delivered twice.
          apart.places.add(before.toldAgainBy(place));
        } else if (place.range().revision() == 0) {
          apart.cut(before, place);
        } else {
          return Optional.empty();
        }
      }
      return Optional.of(apart);
    }

    private boolean isFree(Place place) {
      return places.isEmpty() || !overlap(places.getLast().range(), place.range());
    }

    /** Two have merged some of the same packs, each with others. What follows is written. */
    private void cut(Place before, Place next) {
      SharedBytes both = SharedBytes.of(before, next);
      shared.add(both);
      long endBytes = next.range().range().endBytes();
      if (both.range().endBytes() < endBytes) {
        places.add(next.keeping(List.of(new ByteRange(both.range().endBytes(), endBytes))));
      }
    }
  }

  private PackFold(
      PackId id,
      long sealedAtMillis,
      Map<Integer, StreamWord> words,
      List<Place> places,
      List<SharedBytes> shared) {
    this.id = id;
    this.sealedAtMillis = sealedAtMillis;
    this.words = words;
    this.places = List.copyOf(places);
    this.shared = List.copyOf(shared);
    this.keptBytes = keptBytes(this.places);
  }

  private static long keptBytes(List<Place> places) {
    long bytes = 0;
    for (Place place : places) {
      for (ByteRange part : place.kept()) {
        bytes += part.lengthBytes();
      }
    }
    return bytes;
  }

  /**
   * Folds directories.
   *
   * @param packs in the order of their numbers
   * @param replacedByMillis what was replaced later stays
   * @param covered tells which first bytes are left out
   * @return empty when ranges that replace others overlap without being the same: one pack cannot
   *     hold them
   */
  static Optional<PackFold> of(
      List<PackDirectory> packs, long replacedByMillis, CoveredRanges covered) {
    PackId id = packs.getFirst().id().to(packs.getLast().id());
    return of(packs, id, false, replacedByMillis, covered);
  }

  /**
   * Folds directories of neighbouring groups into one of the last of them. Its ranges are in the
   * order of paths.
   *
   * @param packs all of each group, in their order
   * @return empty when they cannot be told in one pack
   */
  static Optional<PackFold> joining(List<PackDirectory> packs) {
    return GroupNumbers.unite(packs)
        .flatMap(united -> of(united, joinedId(packs), true, Long.MIN_VALUE, CoveredRanges.NONE));
  }

  /**
   * Folds the directory of the last pack of a group that has ended into that of a pack that covers
   * it.
   */
  static Optional<PackFold> alone(PackDirectory pack, long replacedByMillis) {
    PackId id = pack.id();
    PackId wider =
        new PackId(
            id.agent(), id.group(), id.first(), Math.min(PackId.MAX_SEQUENCE, id.last() + 1));
    return of(List.of(pack), wider, false, replacedByMillis, CoveredRanges.NONE);
  }

  /**
   * It must look merged, and have another name than a pack of the last group, even if that has one
   * pack only.
   */
  private static PackId joinedId(List<PackDirectory> packs) {
    PackId last = packs.getLast().id();
    boolean isAlone = last.first() == 0 && last.last() < PackId.MAX_SEQUENCE;
    return new PackId(last.agent(), last.group(), 0, isAlone ? last.last() + 1 : last.last());
  }

  /**
   * Returns whether a pack already says what packs of earlier groups say, so that these are of no
   * use beside it. Whether it has the same bytes is not looked at.
   *
   * @param packs those of earlier groups, and last the pack
   */
  static boolean addNothing(List<PackDirectory> packs) {
    Optional<List<PackDirectory>> united = GroupNumbers.unite(packs);
    if (united.isEmpty()) {
      return false;
    }
    PackDirectory last = united.get().getLast();
    Map<Integer, StreamWord> alone = new TreeMap<>();
    add(last, 0, alone, new ArrayList<>());
    Map<Integer, StreamWord> together = new TreeMap<>();
    List<Place> all = new ArrayList<>();
    for (int i = 0; i < united.get().size(); i++) {
      add(united.get().get(i), i, together, all);
    }
    RangeIndex inLast = new RangeIndex(last);
    return together.keySet().equals(alone.keySet())
        && together.entrySet().stream()
            .allMatch(word -> word.getValue().says(alone.get(word.getKey())))
        && all.stream().allMatch(place -> inLast.containing(place.range()).isPresent());
  }

  private static Optional<PackFold> of(
      List<PackDirectory> packs,
      PackId id,
      boolean byPath,
      long replacedByMillis,
      CoveredRanges covered) {
    Map<Integer, StreamWord> words = new TreeMap<>();
    List<Place> all = new ArrayList<>();
    for (int i = 0; i < packs.size(); i++) {
      add(packs.get(i), i, words, all);
    }
    all.sort(byPath ? byPath(words).thenComparing(BY_STREAM) : BY_STREAM);
    all.removeIf(
        place -> place.range().revision() == 0 && covered.isCovered(place.pack(), place.index()));
    Optional<Apart> apart = Apart.of(all);
    if (apart.isEmpty()) {
      return Optional.empty();
    }
    RevisionPruning pruning = RevisionPruning.of(apart.get().places(), replacedByMillis);
    pruning.dropped().forEach(fact -> word(words, fact.number()).add(fact, true));
    long sealedAtMillis = packs.stream().mapToLong(PackDirectory::sealedAtMillis).max().orElse(0);
    return Optional.of(
        new PackFold(id, sealedAtMillis, words, pruning.kept(), apart.get().shared()));
  }

  private static Comparator<Place> byPath(Map<Integer, StreamWord> words) {
    return Comparator.comparing(
        place ->
            Optional.ofNullable(words.get(place.range().number()))
                .flatMap(StreamWord::description)
                .map(PackedStream::path)
                .orElse(PosixPath.EMPTY));
  }

  private static void add(
      PackDirectory pack, int number, Map<Integer, StreamWord> words, List<Place> all) {
    for (PackedStream stream : pack.streams()) {
      word(words, stream.number()).describe(stream, pack.sealedAtMillis());
    }
    for (int index = 0; index < pack.ranges().size(); index++) {
      PackedRange range = pack.ranges().get(index);
      word(words, range.number()).add(range, pack.sealedAtMillis(range));
      all.add(new Place(number, index, range, pack.sealedAtMillis(range)));
    }
    addFacts(pack, words);
  }

  private static void addFacts(PackDirectory pack, Map<Integer, StreamWord> words) {
    if (pack.facts().isEmpty()) {
      return;
    }
    Set<Integer> withRange =
        pack.ranges().stream().map(PackedRange::number).collect(Collectors.toUnmodifiableSet());
    for (StreamFact fact : pack.facts()) {
      boolean counts = pack.id().isMerged() || !withRange.contains(fact.number());
      word(words, fact.number()).add(fact, counts);
    }
  }

  private static StreamWord word(Map<Integer, StreamWord> words, int number) {
    return words.computeIfAbsent(number, StreamWord::new);
  }

  private static boolean overlap(PackedRange before, PackedRange range) {
    return before.number() == range.number()
        && before.revision() == range.revision()
        && range.range().startBytes() < before.range().endBytes();
  }

  private static boolean isSame(PackedRange one, PackedRange other) {
    return one.range().equals(other.range()) && one.rawCrc32c() == other.rawCrc32c();
  }

  PackId id() {
    return id;
  }

  /** Returns when the last of the packs was made. */
  long sealedAtMillis() {
    return sealedAtMillis;
  }

  List<PackedStream> streams() {
    return words.values().stream().flatMap(word -> word.description().stream()).toList();
  }

  List<StreamFact> facts() {
    return words.values().stream().flatMap(word -> word.facts().stream()).toList();
  }

  /** Returns the ranges by stream, those of one by offset. */
  List<Place> places() {
    return places;
  }

  /** Returns how many bytes are written. */
  long keptBytes() {
    return keptBytes;
  }

  /** Returns what must be the same in two ranges. */
  List<SharedBytes> shared() {
    return shared;
  }
}
