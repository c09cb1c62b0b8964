package dev.tailwater.archive.merge;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The streams of several groups under the numbers of the last of them: those that it does not know
 * get numbers behind its own.
 */
final class GroupNumbers {
  private record Key(StreamId stream, PosixPath birthPath) {}

  private final Map<Key, Integer> byStream = new HashMap<>();
  private final Map<Integer, Key> byNumber = new HashMap<>();
  private int next;

  private GroupNumbers() {}

  /**
   * Returns directories that number their streams together.
   *
   * @param packs of neighbouring groups of an agent, all of each, in their order
   * @return empty when it is not clear which streams some of them are about
   */
  static Optional<List<PackDirectory>> unite(List<PackDirectory> packs) {
    GroupNumbers numbers = new GroupNumbers();
    PackGroup last = packs.getLast().id().group();
    for (PackDirectory pack : packs) {
      if (pack.id().group().equals(last) && !numbers.learn(pack)) {
        return Optional.empty();
      }
    }
    List<PackDirectory> united = new ArrayList<>();
    PackGroup group = last;
    Map<Integer, Integer> renumbered = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    for (PackDirectory pack : packs) {
      if (pack.id().group().equals(last)) {
        united.add(pack);
        continue;
      }
      if (!pack.id().group().equals(group)) {
        renumbered.clear();
        taken.clear();
        group = pack.id().group();
      }
      if (!numbers.renumber(pack, renumbered, taken)) {
        return Optional.empty();
      }
      Optional<PackDirectory> translated = translated(pack, renumbered);
      if (translated.isEmpty()) {
        return Optional.empty();
      }
      united.add(translated.get());
    }
    return Optional.of(united);
  }

  private static Key key(PackedStream stream) {
    return new Key(stream.stream(), stream.birthPath());
  }

  /** Learns the numbers of the last group; false when one has two meanings. */
  private boolean learn(PackDirectory pack) {
    for (PackedStream stream : pack.streams()) {
      Key before = byNumber.putIfAbsent(stream.number(), key(stream));
      if (before != null && !before.equals(key(stream))) {
        return false;
      }
      byStream.putIfAbsent(key(stream), stream.number());
      next = Math.max(next, stream.number() + 1);
    }
    // A number that nobody has described means nothing.
    return pack.ranges().stream().allMatch(range -> byNumber.containsKey(range.number()))
        && pack.facts().stream().allMatch(fact -> byNumber.containsKey(fact.number()));
  }

  /**
   * Learns the numbers of an earlier group; false when one has two meanings, or one stream has two.
   *
   * @param renumbered the numbers in the last group, by those in the earlier one
   * @param taken the numbers in the last group that are there
   */
  private boolean renumber(
      PackDirectory pack, Map<Integer, Integer> renumbered, Set<Integer> taken) {
    for (PackedStream stream : pack.streams()) {
      int number = number(key(stream));
      Integer before = renumbered.putIfAbsent(stream.number(), number);
      boolean isClear = before == null ? taken.add(number) : before == number;
      if (!isClear) {
        return false;
      }
    }
    return true;
  }

  private int number(Key stream) {
    return byStream.computeIfAbsent(stream, any -> next++);
  }

  private static Optional<PackDirectory> translated(
      PackDirectory pack, Map<Integer, Integer> numbers) {
    List<PackedStream> streams = new ArrayList<>();
    for (PackedStream stream : pack.streams()) {
      streams.add(stream.withNumber(numbers.getOrDefault(stream.number(), -1)));
    }
    streams.sort(Comparator.comparingInt(PackedStream::number));
    if (streams.stream().map(PackedStream::number).distinct().count() < streams.size()) {
      return Optional.empty(); // One stream under two numbers.
    }
    List<PackedRange> ranges = new ArrayList<>();
    for (PackedRange range : pack.ranges()) {
      Optional<Integer> number = Optional.ofNullable(numbers.get(range.number()));
      if (number.isEmpty()) {
        return Optional.empty();
      }
      ranges.add(range.withNumber(number.get()));
    }
    List<StreamFact> facts = new ArrayList<>();
    for (StreamFact fact : pack.facts()) {
      Optional<Integer> number = Optional.ofNullable(numbers.get(fact.number()));
      if (number.isEmpty()) {
        return Optional.empty();
      }
      facts.add(fact.withNumber(number.get()));
    }
    return Optional.of(
        new PackDirectory(pack.id(), pack.sealedAtMillis(), pack.units(), streams, ranges, facts));
  }
}
