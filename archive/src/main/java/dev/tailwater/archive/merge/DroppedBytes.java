package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.pack.StreamFact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is said of the replaced bytes of one stream that are not kept, in few words. It is exact as
 * long as there is room; after that, neighbours are said as one that covers both.
 */
final class DroppedBytes {
  /** So many facts of a stream; a hundred thousand files may have some each. */
  static final int MOST = 256;

  private static final Comparator<StreamFact.Dropped> BY_RANGE =
      Comparator.comparingLong((StreamFact.Dropped fact) -> fact.range().startBytes())
          .thenComparingLong(fact -> fact.range().endBytes())
          .thenComparingLong(StreamFact.Dropped::fromMillis);

  private static final Comparator<StreamFact.Dropped> BY_TIME =
      Comparator.comparingLong(StreamFact.Dropped::fromMillis)
          .thenComparingLong(StreamFact.Dropped::untilMillis)
          .thenComparing(BY_RANGE);

  private DroppedBytes() {}

  /** Returns facts that say the same, or a little more. */
  static List<StreamFact.Dropped> compact(List<StreamFact.Dropped> facts) {
    if (facts.size() < 2) {
      return List.copyOf(facts);
    }
    List<StreamFact.Dropped> byTime = join(facts.stream().sorted(BY_RANGE).toList());
    List<StreamFact.Dropped> exact = join(byTime.stream().sorted(BY_TIME).toList());
    List<StreamFact.Dropped> some = exact.stream().sorted(BY_RANGE).toList();
    while (some.size() > MOST) {
      List<StreamFact.Dropped> pairs = new ArrayList<>();
      for (int i = 0; i + 1 < some.size(); i += 2) {
        pairs.add(hull(some.get(i), some.get(i + 1)));
      }
      if (some.size() % 2 == 1) {
        pairs.add(some.getLast());
      }
      some = pairs;
    }
    return some;
  }

  /** Joins neighbours of the list of which one says how the other goes on. */
  private static List<StreamFact.Dropped> join(List<StreamFact.Dropped> sorted) {
    List<StreamFact.Dropped> joined = new ArrayList<>();
    for (StreamFact.Dropped fact : sorted) {
      if (!joined.isEmpty() && isContinued(joined.getLast(), fact)) {
        fact = hull(joined.removeLast(), fact);
      }
      joined.add(fact);
    }
    return joined;
  }

  private static boolean isContinued(StreamFact.Dropped one, StreamFact.Dropped next) {
    boolean sameTime =
        one.fromMillis() == next.fromMillis() && one.untilMillis() == next.untilMillis();
    return one.range().equals(next.range())
        ? next.fromMillis() <= one.untilMillis()
        : sameTime && next.range().startBytes() <= one.range().endBytes();
  }

  private static StreamFact.Dropped hull(StreamFact.Dropped one, StreamFact.Dropped other) {
    return new StreamFact.Dropped(
        one.number(),
        new ByteRange(
            Math.min(one.range().startBytes(), other.range().startBytes()),
            Math.max(one.range().endBytes(), other.range().endBytes())),
        Math.min(one.fromMillis(), other.fromMillis()),
        Math.max(one.untilMillis(), other.untilMillis()));
  }
}
